import type { FastifyReply, FastifyRequest } from 'fastify'
import { defineError } from '#platform/define-error.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import type { Limit, RateLimiter } from '#platform/http/limits/rate-limiter.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'

/** Messages per minute of a client address that have a wrong signature, or are for no account. */
const WRONG_NOTICES = 60
/** Only for the document: the limiter sends this error with its numbers. */
export const tooManyNotices = defineError({
  code: 'RATE_LIMITED',
  status: 429,
  message:
    'Too many messages with a wrong signature or account from this client address; wait for the number of seconds in `Retry-After`',
})
/** So many pairs of an address and an account are remembered. */
const MOST_TRUSTED = 10_000

/**
 * Limits forged messages of providers by client address, before anything is looked up for them. Good ones do not count. A
 * provider sends the messages of all its customers from the same few addresses: so that a wrong secret of one account keeps
 * nobody else's messages away, an account whose last message from an address was good is admitted from there.
 */
export class NoticeLimit {
  readonly #limiter: RateLimiter
  /** Pairs of an address and an account, the oldest first. */
  readonly #trusted = new Set<string>()
  /** Requests that were admitted without being counted. */
  readonly #uncounted = new WeakSet<FastifyRequest>()

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter
  }

  /** Counts a message until it is known to be good. @throws ApiError 429 */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (this.#trusted.has(pairOf(request))) {
      this.#uncounted.add(request)
      return
    }
    const state = await this.#limiter.take(limitOf(request))
    if (!state.allowed) enforceLimit(request, reply, state)
  }

  /** Its signature was right. */
  async accept(request: FastifyRequest): Promise<void> {
    if (this.#uncounted.has(request)) return
    await this.forget(request)
    const [oldest] = this.#trusted
    if (oldest !== undefined && this.#trusted.size >= MOST_TRUSTED) this.#trusted.delete(oldest)
    this.#trusted.add(pairOf(request))
  }

  /** Nobody knows whether it was good: it does not count. */
  async forget(request: FastifyRequest): Promise<void> {
    if (!this.#uncounted.has(request)) await this.#limiter.giveBack(limitOf(request))
  }

  /** Its signature was wrong, or it is for no account. */
  async refuse(request: FastifyRequest): Promise<void> {
    // Others were counted when they were admitted.
    if (this.#uncounted.has(request)) await this.#limiter.take(limitOf(request))
    this.#trusted.delete(pairOf(request))
  }
}

const limitOf = ({ ip }: FastifyRequest): Limit => ({
  policy: 'address',
  id: `notices:${subscriberOf(ip)}`,
  points: WRONG_NOTICES,
  counts: 'messages with a wrong signature or account from this client address',
})

/** The URL has the id of the account. */
const pairOf = ({ ip, url }: FastifyRequest) => `${subscriberOf(ip)} ${url}`
