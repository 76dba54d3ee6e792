import type { FastifyRequest, RouteOptions } from 'fastify'
import { readInProject } from '../../db/replicas/read-in-project.ts'
import { type Context, inProject } from '../../db/tenant.ts'
import type { Deps } from '../../deps.ts'
import type { Api } from '../api.ts'
import { readerOf } from '../reader.ts'
import { callerOf } from './authenticate.ts'
import { subscriberOf } from './client-address.ts'

// Which requests are read from a replica, and who must not be: whoever has just written (docs/decisions/0110).

type Parts = Pick<Deps, 'pool' | 'replicas' | 'reads' | 'recentWrites'>

/**
 * The door for a request. A request to a route that may read replicas is answered by one that shows what its caller has
 * written, or by the primary.
 */
export async function inProjectOf<T>(
  request: FastifyRequest,
  parts: Parts,
  work: (ctx: Context) => PromiseLike<T>,
): Promise<T> {
  const { projectId, actor } = callerOf(request)
  const reader = readerOf(request)
  if (parts.replicas.all.length === 0 || !mayReadReplica(request))
    return inProject(parts.pool, projectId, actor, work, reader)
  const since = await parts.recentWrites.lastOf(writersOf(request))
  return readInProject(parts, { projectId, actor, work, since, reader })
}

/** A request that stores its answer under an Idempotency-Key writes. */
const mayReadReplica = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.reads === 'replica' && headers['idempotency-key'] === undefined

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Notes who wrote, before the answer to a write is sent. Register it after what commits together with the answer
 * (idempotency). Without replicas it does nothing.
 */
export function registerRecentWrites(api: Api, { replicas, recentWrites }: Parts): void {
  if (replicas.all.length === 0) return
  api.addHook('onRoute', (route: RouteOptions) => {
    const { onlyReads, access } = route.config ?? {}
    if (READING.has(String(route.method)) || onlyReads || access === 'open') return
    const others = route.onSend === undefined ? [] : [route.onSend].flat()
    const noteWriters = async (request: FastifyRequest, _reply: unknown, payload: unknown) => {
      if (request.key ?? request.member) await recentWrites.note(writersOf(request))
      return payload
    }
    route.onSend = [...others, noteWriters]
  })
}

/**
 * Those who see what a request writes. All visitors of a site share its public key, so they are told apart by their
 * addresses; so is a visitor who becomes a member by logging in. A server that acts for a member writes for both.
 */
function writersOf(request: FastifyRequest): string[] {
  const { projectId, actor } = callerOf(request)
  const visitor = `visitor:${projectId}:${subscriberOf(request.ip)}`
  if (actor.kind === 'member') return [`member:${actor.id}`, visitor]
  if (actor.kind !== 'secret_key') return [visitor]
  const { actsFor } = request
  return [`key:${actor.id}`, ...(actsFor === undefined ? [] : [`member:${actsFor}`])]
}
