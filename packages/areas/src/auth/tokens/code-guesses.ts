import type { FastifyReply, FastifyRequest } from 'fastify'
import { emit } from '#platform/events/emit.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import type { Limit, RateLimiter } from '#platform/http/limits/rate-limiter.ts'
import { toId } from '#platform/ids.ts'
import { authUnderAttack } from './events.ts'

/** Wrong codes of one account in a day; after that, only the links of its mails work. */
const OF_ACCOUNT = 10
const DAY_SECONDS = 24 * 3_600
/** Wrong codes of one project in ten minutes; more than that are an attack. */
const OF_PROJECT = 100
const PROJECT_SECONDS = 600
/** Codes of a project that are checked in a minute during an attack. */
const SLOWED = 30
/** How often the event is sent. */
const REPORTED_SECONDS = 3_600

interface Whose {
  readonly projectId: string
  /** The account whose code is tried; it need not exist. */
  readonly account: string
}

/**
 * Limits guesses at the six digits of mails, over days and over all accounts of a project. The limits of one code and
 * of 15 minutes alone would allow guesses at many accounts, or at one account for weeks.
 */
export class CodeGuesses {
  readonly #limiter: RateLimiter
  readonly #at: { request: FastifyRequest; reply: FastifyReply }
  readonly #ofAccount: Limit
  readonly #ofProject: Limit
  readonly #slowed: Limit
  readonly #reported: Limit

  constructor(limiter: RateLimiter, at: { request: FastifyRequest; reply: FastifyReply }, whose: Whose) {
    const { projectId, account } = whose
    this.#limiter = limiter
    this.#at = at
    const policy = 'account'
    this.#ofAccount = { policy, id: `codes:${account}`, points: OF_ACCOUNT, windowSeconds: DAY_SECONDS }
    this.#ofProject = { policy, id: `codes:${projectId}`, points: OF_PROJECT, windowSeconds: PROJECT_SECONDS }
    this.#slowed = { policy, id: `slowed codes:${projectId}`, points: SLOWED }
    this.#reported = {
      policy,
      id: `report of codes:${projectId}`,
      points: 1,
      windowSeconds: REPORTED_SECONDS,
    }
  }

  /**
   * Counts a guess before the code is checked.
   * @returns false if codes of this account do not work any more today
   * @throws ApiError 429 if the project is under attack and the codes of this minute are used up
   */
  async begin(): Promise<boolean> {
    const { request, reply } = this.#at
    if (!(await this.#limiter.look(this.#ofProject)).allowed)
      enforceLimit(request, reply, await this.#limiter.take(this.#slowed))
    return (await this.#limiter.take(this.#ofAccount)).allowed
  }

  /** The request was not a guess after all. */
  async takeBack(): Promise<void> {
    await this.#limiter.giveBack(this.#ofAccount)
  }

  /** The code was wrong. */
  async fail(): Promise<void> {
    const { allowed } = await this.#limiter.take(this.#ofProject)
    if (allowed || !(await this.#limiter.take(this.#reported)).allowed) return
    await this.#at.request.write((ctx) =>
      emit(ctx, authUnderAttack, {
        id: toId('project', ctx.projectId),
        wrong_codes: OF_PROJECT + 1,
        codes_per_minute: SLOWED,
      }),
    )
  }

  /** Somebody has proved that the account is theirs. */
  async succeed(): Promise<void> {
    await this.#limiter.clear(this.#ofAccount)
  }
}
