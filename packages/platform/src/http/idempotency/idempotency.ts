import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../actor.ts'
import { ApiError, invalidParameters } from '../../errors.ts'
import { newUuid } from '../../ids.ts'
import { type KeyedHash, makeKeyedHash } from '../../secrets/keyed-hash.ts'
import { makeSecretBox, type SecretBox } from '../../secrets/secret-box.ts'
import type { Api } from '../api.ts'
import { Claim, inProgress } from './claim.ts'
import { claimKey, type KeptAnswer, type KeyRow } from './queries.ts'

const MAX_LENGTH = 255

/**
 * Lets every POST that belongs to a project be repeated safely. Routes that are registered after it take part; requests
 * without an Idempotency-Key pay a look at their headers for it.
 *
 * The first request takes the key before its handler runs; one beside it is told 409, one with the same key for
 * something else 422. Kept for 24 hours is what the handler answered. Not kept are faults of ours (5xx) and requests
 * that were not fit to be handled (400, 409, 429 and VALIDATION_ERROR), which may be mended under the same key, and
 * streamed answers.
 */
export function registerIdempotency(api: Api, { config }: { config: { SECRET_KEY: string } }): void {
  const box = makeSecretBox(config.SECRET_KEY, 'idempotent answers')
  // With a plain hash, a password in a body could be tried out by whoever has the database.
  const hash = makeKeyedHash(config.SECRET_KEY, 'idempotent requests')
  api.decorateRequest('claim', undefined)
  api.decorateRequest('failure', undefined)
  api.addHook('onRoute', (route) => {
    if (route.method !== 'POST' || route.config?.access === 'open') return
    route.preHandler = [claimOrReplay(box, hash), ...listOf(route.preHandler)]
    route.onSend = [...listOf(route.onSend), keepAnswer(box)]
  })
}

const listOf = <H>(hooks: H | H[] | undefined): H[] => (hooks === undefined ? [] : ([hooks].flat() as H[]))

function claimOrReplay(box: SecretBox, hash: KeyedHash) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const key = request.headers['idempotency-key']
    if (key === undefined) return undefined
    assertKey(key)
    const fingerprint = fingerprintOf(hash, request)
    const token = newUuid()
    const door = request.inProject.bind(request)
    const claimed = await door((ctx) => {
      const held = { scope: scopeOf(ctx.actor), key, token }
      return claimKey(ctx, held, fingerprint).map((row) => ({ held, row }))
    })
    if (claimed.row?.token === token) {
      const claim = new Claim(door, claimed.held, (error) =>
        request.log.warn({ err: error }, 'an idempotency key could not be written'),
      )
      request.claim = claim
      request.inProject = (work) => claim.inProject(work)
      return undefined
    }
    return replay(reply, box, claimed.row, fingerprint)
  }
}

/** @throws ApiError 409, 422 */
function replay(
  reply: FastifyReply,
  box: SecretBox,
  row: KeyRow | undefined,
  fingerprint: Buffer,
): FastifyReply {
  if (row !== undefined && !row.fingerprint.equals(fingerprint))
    throw new ApiError(
      422,
      'IDEMPOTENCY_MISMATCH',
      'This Idempotency-Key was used for another request: a new request needs a new key',
    )
  if (row === undefined || row.status === null || row.body === null) throw inProgress()
  if (row.content_type !== null) reply.type(row.content_type)
  return reply
    .code(row.status)
    .header('idempotent-replayed', 'true')
    .serializer((payload: string) => payload)
    .send(box.open(row.body, row.token))
}

function keepAnswer(box: SecretBox) {
  return async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const { claim } = request
    if (claim === undefined) return payload
    // Where this throws, the answer to that comes by here again.
    request.claim = undefined
    await claim.settle(isKept(request, reply, payload) ? toKept(box, claim.token, reply, payload) : undefined)
    return payload
  }
}

const NOT_KEPT = new Set([400, 409, 429])

function isKept(request: FastifyRequest, reply: FastifyReply, payload: unknown): payload is string {
  const status = reply.statusCode
  if (status >= 500 || NOT_KEPT.has(status) || request.failure?.code === 'VALIDATION_ERROR') return false
  return typeof payload === 'string'
}

function toKept(box: SecretBox, token: string, reply: FastifyReply, payload: string): KeptAnswer {
  const contentType = reply.getHeader('content-type')
  return {
    status: reply.statusCode,
    content_type: typeof contentType === 'string' ? contentType : null,
    body: box.seal(payload, token),
  }
}

/** @throws ApiError 400 */
function assertKey(key: string | string[]): asserts key is string {
  if (typeof key === 'string' && key !== '' && key.length <= MAX_LENGTH) return
  const message = `must have 1 to ${MAX_LENGTH} characters`
  throw invalidParameters([{ field: 'Idempotency-Key', rule: 'length', message }])
}

/**
 * What makes a request the same: method, address, the member it is for, and the body, as it was understood. Of a body
 * that the handler reads by itself (uploads), its length and nothing else.
 */
function fingerprintOf(hash: KeyedHash, { method, url, headers, body }: FastifyRequest): Buffer {
  const parts = [method, url, headers['x-user-id'] ?? null, body ?? headers['content-length'] ?? null]
  return hash(JSON.stringify(parts))
}

/** Members never meet at a key, nor does a browser with a server; all secret keys of a project share theirs. */
const scopeOf = (actor: Actor): string => (actor.kind === 'member' ? `member ${actor.id}` : actor.kind)
