import type { Pool } from 'pg'
import type { ChangeFeed } from '../change-feed.ts'
import type { Log } from '../telemetry/log.ts'
import { MEMBER_LIMIT } from './rate-limits.ts'

interface Options {
  /** Logs in as guildhall_keys. */
  readonly pool: Pool
  readonly feed: ChangeFeed
  readonly log: Log
}

/**
 * The limits of members' requests that operators have set. A member's token names its project but not its limits, so those that
 * are not the default are kept in memory, and read again when one changes. Until they are read, the default holds.
 */
export class MemberLimits {
  readonly #pool: Pool
  readonly #log: Log
  #own: ReadonlyMap<string, number> = new Map()
  /** Counts changes, so that a result from before a change is not kept after it. */
  #changes = 0

  constructor({ pool, feed, log }: Options) {
    this.#pool = pool
    this.#log = log
    const readAgain = () => {
      this.#changes += 1
      this.#readAll().catch((error) =>
        log.warn({ err: error }, 'the limits of members could not be read; those from before go on'),
      )
    }
    feed.listen('guildhall_member_limits', { onChange: readAgain, onGap: readAgain })
  }

  /** Requests per minute of each member of a project. */
  of(projectId: string): number {
    return this.#own.get(projectId) ?? MEMBER_LIMIT
  }

  async #readAll(): Promise<void> {
    const changes = this.#changes
    const { rows } = await this.#pool.query<{ id: string; member: number }>(
      "select id, (own_limits ->> 'member')::int as member from projects where own_limits ? 'member'",
    )
    if (changes === this.#changes) this.#own = new Map(rows.map(({ id, member }) => [id, member]))
    this.#log.debug({ projects: rows.length }, 'limits of members read')
  }
}
