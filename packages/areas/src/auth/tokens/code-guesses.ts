import type { FastifyReply, FastifyRequest } from 'fastify'
import { emit } from '#platform/events/emit.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import type { Limit, RateLimiter } from '#platform/http/limits/rate-limiter.ts'
import { toId } from '#platform/ids.ts'
import { authUnderAttack } from './events.ts'

/** Wrong codes of one account in a day; after them only the links of its mails work. */
const OF_ACCOUNT = 10
const DAY_SECONDS = 24 * 3_600
/** Wrong codes of one project in ten minutes that are more than mistakes. */
const OF_PROJECT = 100
const PROJECT_SECONDS = 600
/** Codes of a project that are looked at in a minute while it is under attack. */
const SLOWED = 30
/** How often it is told. */
const TOLD_SECONDS = 3_600

interface Whose {
  readonly projectId: string
  /** The account whose code is tried, which may belong to nobody. */
  readonly account: string
}

/**
 * Guesses at the six digits of mails, over days and over all accounts of a project: the limits of a code and of a quarter
 * of an hour leave room for guessing at many accounts, or at one for weeks.
 */
export class CodeGuesses {
  readonly #limiter: RateLimiter
  readonly #at: { request: FastifyRequest; reply: FastifyReply }
  readonly #ofAccount: Limit
  readonly #ofProject: Limit
  readonly #slowed: Limit
  readonly #told: Limit

  constructor(limiter: RateLimiter, at: { request: FastifyRequest; reply: FastifyReply }, whose: Whose) {
    const { projectId, account } = whose
    this.#limiter = limiter
    this.#at = at
    const policy = 'account'
    this.#ofAccount = { policy, id: `codes:${account}`, points: OF_ACCOUNT, windowSeconds: DAY_SECONDS }
    this.#ofProject = { policy, id: `codes:${projectId}`, points: OF_PROJECT, windowSeconds: PROJECT_SECONDS }
    this.#slowed = { policy, id: `slowed codes:${projectId}`, points: SLOWED }
    this.#told = { policy, id: `told of codes:${projectId}`, points: 1, windowSeconds: TOLD_SECONDS }
  }

  /**
   * Counts a guess before the code is looked at.
   * @returns false where codes of this account are good for nothing today
   * @throws ApiError 429 where the project is under attack, and its codes of this minute have been looked at
   */
  async begin(): Promise<boolean> {
    const { request, reply } = this.#at
    if (!(await this.#limiter.look(this.#ofProject)).allowed)
      enforceLimit(request, reply, await this.#limiter.take(this.#slowed))
    return (await this.#limiter.take(this.#ofAccount)).allowed
  }

  /** What was begun was no guess. */
  async takeBack(): Promise<void> {
    await this.#limiter.giveBack(this.#ofAccount)
  }

  /** The code was wrong. */
  async fail(): Promise<void> {
    const { allowed } = await this.#limiter.take(this.#ofProject)
    if (allowed || !(await this.#limiter.take(this.#told)).allowed) return
    await this.#at.request.inProject(async (ctx) =>
      emit(ctx, authUnderAttack, {
        id: toId('project', ctx.projectId),
        wrong_codes: OF_PROJECT + 1,
        codes_per_minute: SLOWED,
      }),
    )
  }

  /** Somebody has shown that the account is theirs. */
  async succeed(): Promise<void> {
    await this.#limiter.clear(this.#ofAccount)
  }
}
