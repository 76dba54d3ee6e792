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
 * Makes every POST of a project safe to repeat. It applies to routes that are registered after it. For requests without
 * an Idempotency-Key it costs one look at their headers.
 *
 * The first request takes the key before its handler runs. A second request at the same time gets 409; one with the
 * same key for something else gets 422. The handler's answer is stored for 24 hours. Some answers are not stored:
 * errors of the server (5xx), errors that the client can correct and send again under the same key (400, 409, 429 and
 * VALIDATION_ERROR), and streamed answers.
 */
export function registerIdempotency(api: Api, { config }: { config: { SECRET_KEY: string } }): void {
  const box = makeSecretBox(config.SECRET_KEY, 'idempotent answers')
  // With a plain hash, somebody who has the database could guess a password in a body.
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
    const inProject = request.inProject.bind(request)
    const claimed = await inProject((ctx) => {
      const held = { scope: scopeOf(ctx.actor), key, token }
      return claimKey(ctx, held, fingerprint).map((row) => ({ held, row }))
    })
    if (claimed.row?.token === token) {
      const claim = new Claim(inProject, claimed.held, (error) =>
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
      'This Idempotency-Key was used for another request: send another key',
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
    // If this throws, the answer to that error passes through this hook again.
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
 * The parts that identify a request: method, address, the member it is for, and the parsed body. For a body that the
 * handler reads by itself (uploads), only its length counts.
 */
function fingerprintOf(hash: KeyedHash, { method, url, headers, body }: FastifyRequest): Buffer {
  const parts = [method, url, headers['x-user-id'] ?? null, body ?? headers['content-length'] ?? null]
  return hash(JSON.stringify(parts))
}

/**
 * The scope of a key. Members have separate scopes, and so do browsers and servers; all secret keys of a project share
 * one.
 */
const scopeOf = (actor: Actor): string => (actor.kind === 'member' ? `member ${actor.id}` : actor.kind)
