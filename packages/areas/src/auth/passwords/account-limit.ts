import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import type { Limit, RateLimiter } from '#platform/http/limits/rate-limiter.ts'

/** Failures after which an account waits, and for how long they are remembered. */
const FAILURES = 10
const WINDOW_SECONDS = 15 * 60

/**
 * Counts the failed attempts at one account, whether it exists or not, so that guessing from many addresses is slow
 * too.
 */
export class AccountLimit {
  readonly #limiter: RateLimiter
  readonly #limit: Limit
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply

  /** @param account what is guessed at, such as an address in lower case; it may belong to nobody */
  constructor(limiter: RateLimiter, at: { request: FastifyRequest; reply: FastifyReply }, account: string) {
    this.#limiter = limiter
    this.#request = at.request
    this.#reply = at.reply
    this.#limit = { policy: 'account', id: account, points: FAILURES, windowSeconds: WINDOW_SECONDS }
  }

  /**
   * Counts an attempt before it is judged: of any number at the same moment, in all processes, ten are.
   * @throws ApiError 429 where the account has to wait, whatever is tried
   */
  async begin(): Promise<void> {
    enforceLimit(this.#request, this.#reply, await this.#limiter.take(this.#limit))
  }

  /** What was begun was no attempt. */
  async takeBack(): Promise<void> {
    await this.#limiter.giveBack(this.#limit)
  }

  /** Somebody has shown that the account is theirs. */
  async succeed(): Promise<void> {
    await this.#limiter.clear(this.#limit)
  }
}
