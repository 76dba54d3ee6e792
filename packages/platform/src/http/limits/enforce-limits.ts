import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import { type Limit, limitHeaders, type RateLimitState } from './rate-limiter.ts'

/**
 * Refuses a request whose limit is used up.
 * @throws ApiError 429 with Retry-After
 */
export function enforceLimit(request: FastifyRequest, reply: FastifyReply, rateLimit: RateLimitState): void {
  showLimit(request, reply, rateLimit)
  if (!rateLimit.allowed) throw rateLimited(rateLimit)
}

/** Describes a limit in the headers. Where several limits apply, the one with the least left is described. */
export function showLimit(request: FastifyRequest, reply: FastifyReply, rateLimit: RateLimitState): void {
  if (!isTighter(rateLimit, request.rateLimit)) return
  request.rateLimit = rateLimit
  reply.headers(limitHeaders(rateLimit))
}

/** 429 that names the limit and whom it counts. */
function rateLimited({ limit, msToReset }: RateLimitState): ApiError {
  const { policy, points, windowSeconds = 60, counts = COUNTED[policy] } = limit
  const seconds = Math.max(1, Math.ceil(msToReset / 1_000))
  const window = windowSeconds === 60 ? 'minute' : `${windowSeconds / 60} minutes`
  const message = `Too many ${counts}: ${points} per ${window} are allowed. Try again in ${seconds} s`
  return new ApiError(429, 'RATE_LIMITED', message, {
    limit: {
      requests: points,
      per_seconds: windowSeconds,
      scope: policy === 'account' ? 'authentication' : policy,
    },
    headers: { 'retry-after': String(seconds) },
  })
}

/** What each limit counts. */
const COUNTED: Readonly<Record<Limit['policy'], string>> = {
  key: 'requests with this API key',
  member: 'requests of this member',
  address: 'requests from this client address',
  authentication: 'requests to authentication endpoints from this client address',
  operator: 'requests of this operator',
  account: 'attempts or mails for this account',
}

function isTighter(rateLimit: RateLimitState, other: RateLimitState | undefined): boolean {
  if (other === undefined || !rateLimit.allowed) return true
  return rateLimit.remaining < other.remaining
}
