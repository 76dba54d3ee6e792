import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import type { Limit, RateLimiter } from '#platform/http/limits/rate-limiter.ts'

/** The number of failures after which an account is blocked, and the time for which they are counted. */
const FAILURES = 10
const WINDOW_SECONDS = 15 * 60

/** The limit of the failed log-ins of an account. @param account a project's stored id, and an address in lower case */
export const accountLimit = (account: string): Limit => ({
  ...{ policy: 'account', id: account, points: FAILURES, windowSeconds: WINDOW_SECONDS },
})

/** What is guessed at when somebody logs in with an address. */
export const accountOf = (projectId: string, key: string): string => `${projectId}:${key}`

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
    this.#limit = accountLimit(account)
  }

  /**
   * Counts an attempt before the password is checked: of many at the same time, in all processes, ten are checked.
   * @throws ApiError 429 while the account is blocked, also for the right password
   */
  async begin(): Promise<void> {
    enforceLimit(this.#request, this.#reply, await this.#limiter.take(this.#limit))
  }

  /** Takes the count back: no password was checked. */
  async takeBack(): Promise<void> {
    await this.#limiter.giveBack(this.#limit)
  }

  /** Forgets the failures after a successful login. */
  async succeed(): Promise<void> {
    await this.#limiter.clear(this.#limit)
  }
}
