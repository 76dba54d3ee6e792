import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../actor.ts'
import { dataOf, type ProjectData } from '../../db/tenant.ts'
import type { Deps } from '../../deps.ts'
import { ApiError, invalidParameters } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import { type KeyedHash, makeKeyedHash } from '../../secrets/keyed-hash.ts'
import { makeProjectBox, type ProjectBox } from '../../secrets/project-box.ts'
import { elderOf } from '../../secrets/secret-keys.ts'
import type { Api } from '../api.ts'
import { callerOf } from '../caller.ts'
import { replaceByError } from '../server/error-handler.ts'
import { Claim } from './claim.ts'
import { findKey, inProgress, type KeptAnswer, KeyTaken } from './queries.ts'

const MAX_LENGTH = 255

/** A claim, and the data of its project for what it does by itself. */
export interface Claimed {
  readonly claim: Claim
  readonly data: ProjectData
}

/**
 * Makes every POST of a project safe to repeat. It applies to routes that are registered after it. For requests without
 * an Idempotency-Key it costs one look at their headers.
 *
 * The first request takes the key before its handler runs, or in the handler's transaction where the route has
 * `oneTransaction`. A second request at the same time gets 409; one with the same key for something else gets 422. The
 * handler's answer is stored for 24 hours. Some answers are not stored: errors of the server (5xx), errors that the client
 * can correct and send again under the same key (400, 409, 429 and VALIDATION_ERROR), and streamed answers.
 */
export function registerIdempotency(api: Api, { config, pool }: Pick<Deps, 'config' | 'pool'>): void {
  const box = makeProjectBox(config, 'idempotent answers')
  // With a plain hash, somebody who has the database could guess a password in a body.
  const hash = makeKeyedHash(elderOf(config), 'idempotent requests')
  // Nobody can choose a key whose lock is that of another key.
  const lockHash = makeKeyedHash(elderOf(config), 'idempotency locks')
  api.decorateRequest('claimed', undefined)
  api.decorateRequest('failure', undefined)
  api.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || route.config?.access === 'open') return
    const before = claimOrReplay(pool, { box, hash, lockHash }, route.config?.oneTransaction === true)
    route.preHandler = [before, ...listOf(route.preHandler)]
    route.onSend = [...listOf(route.onSend), keepAnswer(box)]
  })
}

const listOf = <H>(hooks: H | H[] | undefined): H[] => (hooks === undefined ? [] : ([hooks].flat() as H[]))

interface Secrets {
  readonly box: ProjectBox
  readonly hash: KeyedHash
  readonly lockHash: KeyedHash
}

function claimOrReplay(pool: Deps['pool'], { box, hash, lockHash }: Secrets, oneTransaction: boolean) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const key = request.headers['idempotency-key']
    if (key === undefined) return undefined
    assertKey(key)
    const { projectId, actor } = callerOf(request)
    const scope = scopeOf(actor)
    const lock = lockHash(JSON.stringify([projectId, scope, key]))
      .readBigInt64BE()
      .toString()
    const fingerprint = fingerprintOf(hash, request)
    const data = dataOf(pool, projectId, actor)
    const claim = new Claim(data.write, { scope, key, token: newUuid(), fingerprint, lock }, (error) =>
      request.log.warn({ err: error }, 'an idempotency key could not be written'),
    )
    const claimed = { claim, data }
    try {
      if (!oneTransaction) await claim.lease()
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
      const payload = await storedAnswer(claimed, box, reply)
      return reply.serializer((text: string) => text).send(payload)
    }
    request.claimed = claimed
    return undefined
  }
}

/**
 * Makes the reply that of the request which used the key first. @returns its body
 * @throws ApiError 409, 422
 */
async function storedAnswer({ claim, data }: Claimed, box: ProjectBox, reply: FastifyReply): Promise<string> {
  const { row } = await data.read({ row: findKey(claim.key) })
  if (row !== undefined && !row.fingerprint.equals(claim.key.fingerprint))
    throw new ApiError(
      422,
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was used for another request: send another key',
    )
  if (row === undefined || row.status === null || row.body === null) throw inProgress()
  if (row.content_type !== null) reply.type(row.content_type)
  reply.code(row.status).header('idempotent-replayed', 'true')
  return box.open(row.body, row.token)
}

function keepAnswer(box: ProjectBox) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const { claimed } = request
    if (claimed === undefined) return payload
    try {
      return await finish(claimed, request, reply, payload)
    } catch (error) {
      return replaceByError(error, request, reply)
    }
  }

  /** @returns the body of the answer */
  async function finish(
    { claim, data }: Claimed,
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ) {
    try {
      const kept = isKept(request, reply, payload)
        ? toKept(box, claim.key.token, request, reply, payload)
        : undefined
      await claim.finish(kept)
      if (!(request.failure instanceof KeyTaken)) return payload
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error
    }
    // Nothing of this request was done. The first request's answer is sent, also if the handler returned another one.
    reply.removeHeader('retry-after')
    return storedAnswer({ claim, data }, box, reply)
  }
}

const NOT_KEPT = new Set([400, 409, 429])

function isKept(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string {
  const status = reply.statusCode
  if (status >= 500 || NOT_KEPT.has(status) || request.failure?.code === 'VALIDATION_ERROR') return false
  return typeof payload === 'string'
}

function toKept(
  box: ProjectBox,
  token: string,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
): KeptAnswer {
  const contentType = reply.getHeader('content-type')
  return {
    status: reply.statusCode,
    content_type: typeof contentType === 'string' ? contentType : null,
    body: box.seal(payload, token, callerOf(request).projectId),
  }
}

/** @throws ApiError 400 */
function assertKey(key: string | string[]): asserts key is string {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_LENGTH) return
  const message = `must have 1 to ${MAX_LENGTH} characters`
  throw invalidParameters([{ field: 'Idempotency-Key', rule: 'length', message }])
}

/**
 * The parts that identify a request: method, address, the member it is for, and the parsed body. For a body that the
 * handler reads by itself (uploads), only its length counts.
 */
function fingerprintOf(hash: KeyedHash, { method, url, headers, body }: FastifyRequest): Buffer {
  const parts = [method, url, headers['x-user-id'] ?? null, body ?? headers['content-length'] ?? null]
  return hash(JSON.stringify(parts))
}

/**
 * The scope of a key. Members and operators have separate scopes, and so do browsers and servers; all secret keys of a
 * project share one.
 */
function scopeOf(actor: Actor): string {
  if (actor.kind === 'member') return `member ${actor.id}`
  return actor.kind === 'operator' ? `operator ${actor.id}` : actor.kind
}
