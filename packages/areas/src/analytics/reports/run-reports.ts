import type { FastifyRequest } from 'fastify'
import { clientHasGone, type Reader } from '#platform/db/cancel.ts'
import { ApiError } from '#platform/errors.ts'
import { clientOf } from '#platform/http/reader.ts'
import { callerOf } from '#platform/http/server/authenticate.ts'
import { reportTooLarge } from '../errors.ts'

/** Reports of one project that one process reads at the same time; each holds a connection. */
const AT_ONCE = 3
/** Reports of one project that may wait for their turn. */
const WAITING = 100
/** SQLSTATE of a statement that took longer than it may. */
const QUERY_CANCELED = '57014'

/** Reads a report for a request, when it is its turn. */
export type RunReport = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/**
 * A semaphore for the reports of each project: some count millions of raw events, and one project that asks for many must
 * not take the connections of all.
 * @returns a function that throws ApiError 422 for a report that takes too long, and 503 where too many wait
 */
export function makeRunReport(): RunReport {
  const projects = new Map<string, { running: number; readonly waiting: (() => void)[] }>()
  return async (request, work) => {
    const { projectId } = callerOf(request)
    const project = projects.get(projectId) ?? { running: 0, waiting: [] }
    projects.set(projectId, project)
    if (project.running < AT_ONCE) project.running += 1
    else if (project.waiting.length < WAITING) await turn(project.waiting, clientOf(request))
    else throw tooMany()
    try {
      return await work()
    } catch (error) {
      throw isTooLong(error) ? reportTooLarge(error) : error
    } finally {
      const next = project.waiting.shift()
      if (next) next()
      else if (--project.running === 0) projects.delete(projectId)
    }
  }
}

/** Resolves when whoever is done hands on its place. A client that goes leaves the queue. */
async function turn(waiting: (() => void)[], client: Reader): Promise<void> {
  if (client.isGone) throw clientHasGone()
  return new Promise((begin, leave) => {
    const stop = client.onGone(() => {
      waiting.splice(waiting.indexOf(go), 1)
      leave(clientHasGone())
    })
    const go = () => {
      stop()
      begin()
    }
    waiting.push(go)
  })
}

const isTooLong = (error: unknown): boolean =>
  error instanceof ApiError && (error.cause as { code?: string } | undefined)?.code === QUERY_CANCELED

const tooMany = () =>
  new ApiError(503, 'UNAVAILABLE', 'Too many reports of this project are running now: try again', {
    headers: { 'retry-after': '5' },
  })
