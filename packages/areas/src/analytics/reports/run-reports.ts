import type { FastifyRequest } from 'fastify'
import { clientHasGone } from '#platform/db/cancel.ts'
import { ApiError } from '#platform/errors.ts'
import { callerOf } from '#platform/http/caller.ts'
import { clientOf } from '#platform/http/reader.ts'
import type { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import { reportTooLarge } from '../errors.ts'

/** SQLSTATE of a statement that took longer than it may. */
const QUERY_CANCELED = '57014'

/** Reads a report for a request, when it is its turn. */
export type RunReport = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/**
 * Reads reports in the turns of their projects: some count millions of raw events.
 * @returns a function that throws ApiError 422 for a report that takes too long, and 503 where too many wait
 */
export function makeRunReport(turns: FairSemaphore): RunReport {
  return async (request, work) => {
    const { projectId } = callerOf(request)
    const client = clientOf(request)
    if (client.isGone) throw clientHasGone()
    // A client that goes leaves the queue.
    const leaving = new AbortController()
    const stop = client.onGone(() => leaving.abort(clientHasGone()))
    try {
      return await turns.run({ projectId, signal: leaving.signal }, () => {
        stop()
        return work()
      })
    } catch (error) {
      throw isTooLong(error) ? reportTooLarge(error) : error
    } finally {
      stop()
    }
  }
}

const isTooLong = (error: unknown): boolean =>
  error instanceof ApiError && (error.cause as { code?: string } | undefined)?.code === QUERY_CANCELED
