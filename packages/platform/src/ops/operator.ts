import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceLimit } from '../http/limits/enforce-limits.ts'
import type { RateLimiter } from '../http/limits/rate-limiter.ts'
import { subscriberOf } from '../http/server/client-address.ts'

/** Wrong tokens per minute of one address. */
const GUESSES = 10

/**
 * Whether a request has the OPS_TOKEN, as a bearer token or as the password of HTTP Basic. If not, the guess is
 * counted, and the reply asks for the password.
 * @throws ApiError 429 if an address has guessed too often
 */
export async function isOperator(
  request: FastifyRequest,
  reply: FastifyReply,
  { token, limiter }: { token: string; limiter: RateLimiter },
): Promise<boolean> {
  if (hasToken(request, token)) return true
  const guesses = { policy: 'address', id: `ops ${subscriberOf(request.ip)}`, points: GUESSES } as const
  enforceLimit(request, reply, await limiter.take(guesses))
  reply.header('www-authenticate', 'Basic realm="Guildhall operators"')
  return false
}

/** The comparison takes the same time for every wrong token. */
function hasToken(request: FastifyRequest, token: string): boolean {
  const [, scheme = '', value = ''] =
    /^(Bearer|Basic) +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const given = scheme.toLowerCase() === 'basic' ? passwordIn(value) : value
  return timingSafeEqual(digest(given), digest(token))
}

function passwordIn(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString()
  return text.slice(text.indexOf(':') + 1)
}

const digest = (text: string) => createHash('sha256').update(text).digest()
