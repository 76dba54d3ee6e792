import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, forbidden, invalidToken } from '../errors.ts'
import type { ApiKey, KeyStore } from '../keys/key-store.ts'
import type { KeyUsage } from '../keys/key-usage.ts'
import { authorize } from './access.ts'
import { type Limit, limitHeaders, type RateLimiter } from './rate-limiter.ts'

/** Requests per minute of a client address that shows no valid credential. */
const ANONYMOUS_LIMIT = 100

interface Parts {
  readonly keys: KeyStore
  readonly usage: KeyUsage
  readonly limiter: RateLimiter
}

/** The hook that every request passes first: authenticate → limit → authorize. */
export function authenticator({ keys, usage, limiter }: Parts) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const access = request.routeOptions.config.access
    if (access === 'open') return
    let key: ApiKey
    try {
      key = await credential(request, keys)
    } catch (error) {
      // Guessing is limited by address, and a limited guess is not told whether it was right.
      await limit(limiter, reply, { policy: 'address', id: request.ip, points: ANONYMOUS_LIMIT })
      throw error
    }
    request.key = key
    await limit(limiter, reply, { policy: 'key', id: key.id, points: key.limit })
    usage.record(key)
    if (access !== undefined) authorize(access, key)
  }
}

/** The key of a request that passed authentication. */
export function keyOf(request: FastifyRequest): ApiKey {
  if (request.key === undefined) throw new Error(`${request.routeOptions.url} is open and has no key`)
  return request.key
}

async function credential(request: FastifyRequest, keys: KeyStore): Promise<ApiKey> {
  const header = request.headers.authorization
  if (header === undefined || header === '')
    throw new ApiError(401, 'AUTH_REQUIRED', 'Authentication is required: send "Authorization: Bearer <key>"')
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1]
  const key = token === undefined ? undefined : await keys.find(token)
  if (key === undefined) throw invalidToken()
  assertPlace(request, key)
  return key
}

/** A key can be bound to addresses and to browser origins. */
function assertPlace(request: FastifyRequest, key: ApiKey): void {
  if (key.allowedIps && !key.allowedIps.check(request.ip, isIP(request.ip) === 6 ? 'ipv6' : 'ipv4'))
    throw forbidden('This key cannot be used from this address')
  const origin = request.headers.origin
  if (origin !== undefined && key.allowedOrigins.length > 0 && !key.allowedOrigins.includes(origin))
    throw forbidden('This key cannot be used from this origin')
}

async function limit(limiter: RateLimiter, reply: FastifyReply, limit: Limit): Promise<void> {
  const standing = await limiter.take(limit)
  reply.headers(limitHeaders(standing))
  if (standing.allowed) return
  throw new ApiError(429, 'RATE_LIMITED', `Too many requests: ${limit.points} per minute are allowed`, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(standing.msToReset / 1_000))) },
  })
}
