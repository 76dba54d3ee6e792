import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { ChangeFeed } from '../change-feed.ts'
import { translate } from '../db/pg-errors.ts'
import type { OperatorLogin } from './access-token.ts'

interface Options {
  /** Logs in as guildhall_keys. */
  readonly pool: Pool
  readonly feed: ChangeFeed
}

/** Roles that are kept in memory; the oldest are removed first. */
const CAPACITY = 10_000

/**
 * Knows which roles of operators still stand, so that every process refuses tokens of a role that ended within a second.
 * A role is looked up once and kept while the change feed works; during a gap the database is asked each time.
 */
export class LiveRoles {
  readonly #pool: Pool
  readonly #feed: ChangeFeed
  readonly #live = new LRUCache<string, true>({ max: CAPACITY })
  /** Counts what ended: a look-up that began before may be old, and is not kept. */
  #changes = 0

  constructor({ pool, feed }: Options) {
    this.#pool = pool
    this.#feed = feed
    feed.listen('guildhall_ended_roles', {
      onChange: (grantId) => {
        this.#changes += 1
        this.#live.delete(grantId)
      },
      onGap: () => {
        this.#changes += 1
        this.#live.clear()
      },
    })
  }

  /** Whether the role of a token still stands. @throws ApiError 503 if the database cannot be reached */
  async has({ liveId, operatorId, grantId }: OperatorLogin): Promise<boolean> {
    const isLive = this.#feed.isLive('guildhall_ended_roles')
    if (isLive && this.#live.has(grantId)) return true
    const changes = this.#changes
    const { rowCount } = await this.#pool
      .query({
        name: 'look_up_role',
        text: 'select from team_members where project_id = $1 and id = $2 and grant_id::text = $3',
        values: [liveId, operatorId, grantId],
      })
      .catch((error) => {
        throw translate(error, [])
      })
    if (rowCount === 0) return false
    if (isLive && changes === this.#changes) this.#live.set(grantId, true)
    return true
  }
}
