import type { FastifyRequest, RouteOptions } from 'fastify'
import { type Connections, readFromReplica } from '../../db/replicas/read-from-replica.ts'
import { type Answers, type Asks, read, type Work, write } from '../../db/tenant.ts'
import type { Deps } from '../../deps.ts'
import { LARGE_JSON } from '../../threads/event-loop-turns.ts'
import type { Api } from '../api.ts'
import { callerOf } from '../caller.ts'
import { readerOf } from '../reader.ts'
import { subscriberOf } from './client-address.ts'

// A request's way to the data of its project: which server answers, and who must not be answered by a replica, because
// they have just written (docs/decisions/0026).

type Parts = Pick<Deps, 'pool' | 'reportPool' | 'replicas' | 'reads' | 'recentWrites' | 'turns'>

/** `read` for a request. Its route says whether a replica may answer. */
export function readOf<A extends Asks>(request: FastifyRequest, parts: Parts, asks: A): Promise<Answers<A>> {
  const { projectId } = callerOf(request)
  const reader = readerOf(request)
  // A large answer is serialized in the project's turn.
  const beforeAnswer = (bytes: number) => (bytes > LARGE_JSON ? parts.turns.next({ projectId }) : undefined)
  const run = (pool: Parts['pool']) => read(pool, projectId, asks, { reader, beforeAnswer })
  const connections = connectionsFor(request)
  const onPrimary = () => run(parts[connections])
  // The second read must see the request's own writes.
  if (request.claimed !== undefined) return request.claimed.claim.commitOpen().then(onPrimary)
  // Nothing is awaited where there is nothing to wait for: this is run for nearly every request.
  if (parts.replicas.all.length === 0) return onPrimary()
  return mayReadReplica(request, parts).then((may) =>
    may ? readFromReplica(parts, { reader, run, connections }) : onPrimary(),
  )
}

/** `write` for a request. With an Idempotency-Key, it stays open until the answer is known. */
export function writeOf<T>(request: FastifyRequest, { pool }: Parts, work: Work<T>): Promise<T> {
  const { projectId, actor } = callerOf(request)
  if (request.claimed === undefined) return write(pool, projectId, actor, work)
  return request.claimed.claim.write((ctx) => (typeof work === 'function' ? work(ctx) : ctx.tx.ask(work)))
}

/** Where a request reads. One that stores its answer under an Idempotency-Key writes. */
const readsOf = ({ routeOptions, headers }: FastifyRequest) =>
  headers['idempotency-key'] === undefined ? routeOptions.config.reads : 'primary'

/** Whoever has just written reads the primary, so that they see it. */
async function mayReadReplica(request: FastifyRequest, { reads, recentWrites }: Parts): Promise<boolean> {
  if (!['replica', 'report'].includes(readsOf(request) ?? '')) return false
  const isBehind = await recentWrites.haveWritten(writersOf(request))
  if (isBehind) reads.onPrimary()
  return !isBehind
}

const connectionsFor = (request: FastifyRequest): Connections =>
  readsOf(request) === 'report' ? 'reportPool' : 'pool'

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
      if (request.key ?? request.member ?? request.operator) await recentWrites.note(writersOf(request))
      return payload
    }
    route.onSend = [...others, noteWriters]
  })
}

/**
 * Those who see what a request writes. All visitors of a site share its public key, so they are distinguished by their
 * addresses; so is a visitor who becomes a member by logging in. A server that acts for a member writes for both.
 */
function writersOf(request: FastifyRequest): string[] {
  const { projectId, actor } = callerOf(request)
  const visitor = `visitor:${projectId}:${subscriberOf(request.ip)}`
  if (actor.kind === 'member') return [`member:${actor.id}`, visitor]
  if (actor.kind !== 'secret_key' && actor.kind !== 'operator') return [visitor]
  const { actsFor } = request
  return [
    `${actor.kind === 'operator' ? 'operator' : 'key'}:${actor.id}`,
    ...(actsFor === undefined ? [] : [`member:${actsFor}`]),
  ]
}
