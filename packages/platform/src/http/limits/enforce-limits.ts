import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import { limitHeaders, type RateLimitState } from './rate-limiter.ts'

/**
 * Refuses a request whose limit is used up. Where several limits apply, the headers describe the one with the least
 * left.
 * @throws ApiError 429 with Retry-After
 */
export function enforceLimit(request: FastifyRequest, reply: FastifyReply, standing: RateLimitState): void {
  if (isTighter(standing, request.standing)) {
    request.standing = standing
    reply.headers(limitHeaders(standing))
  }
  if (standing.allowed) return
  const { points, windowSeconds = 60 } = standing.limit
  const window = windowSeconds === 60 ? 'minute' : `${windowSeconds / 60} minutes`
  throw new ApiError(429, 'RATE_LIMITED', `Too many requests: ${points} per ${window} are allowed`, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(standing.msToReset / 1_000))) },
  })
}

function isTighter(standing: RateLimitState, other: RateLimitState | undefined): boolean {
  if (other === undefined || !standing.allowed) return true
  return standing.remaining < other.remaining
}
