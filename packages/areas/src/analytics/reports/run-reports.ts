import type { FastifyRequest } from 'fastify'
import { clientHasGone } from '#platform/db/cancel.ts'
import { ApiError } from '#platform/errors.ts'
import { clientOf } from '#platform/http/reader.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import { reportTooLarge } from '../errors.ts'

/** Reports of one project that one process reads at the same time; each holds a connection. */
const AT_ONCE = 3
/** Reports that may wait for their turn. */
const WAITING = 100
/** SQLSTATE of a statement that took longer than it may. */
const QUERY_CANCELED = '57014'

/** Reads a report for a request, when it is its turn. */
export type RunReport = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/**
 * A semaphore for the reports of each project: some count millions of raw events, and one project that asks for many must
 * not take the connections of all. How many run in all is decided by the connections.
 * @returns a function that throws ApiError 422 for a report that takes too long, and 503 where too many wait
 */
export function makeRunReport(): RunReport {
  const turns = new FairSemaphore({
    slots: Number.POSITIVE_INFINITY,
    ...{ perProject: AT_ONCE, waiting: WAITING },
    busy: 'Too many reports are running now',
  })
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
