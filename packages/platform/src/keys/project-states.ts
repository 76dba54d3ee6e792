import type { Pool } from 'pg'
import type { ChangeFeed } from '../change-feed.ts'
import { translate } from '../db/pg-errors.ts'
import { ApiError, invalidToken } from '../errors.ts'
import type { Log } from '../telemetry/log.ts'

/** Why a project rests: an operator has suspended it, or has deleted it and can still restore it. */
export type Rest = 'suspended' | 'deleted'

interface Options {
  /** Logs in as guildhall_keys. */
  readonly pool: Pool
  readonly feed: ChangeFeed
  readonly log: Log
}

/** With those that were removed so recently that access tokens of theirs have not expired. */
const RESTING = `select id, rest from (
    select id, case when deleted_at is null then 'suspended' else 'deleted' end as rest
    from projects where suspended_at is not null or deleted_at is not null
    union all
    select side, 'deleted' from project_removals, unnest(array[live_id, test_id]) as side
    where removed_at > now() - interval '2 hours'
  ) as resting`

interface Row {
  readonly id: string
  readonly rest: Rest
}

/**
 * Knows which projects rest, so that every process refuses their credentials and pages within a second without asking the
 * database. All of them are read at the start, after every change, and after every gap of the change feed; until that is
 * done, the database is asked each time.
 */
export class ProjectStates {
  readonly #pool: Pool
  readonly #feed: ChangeFeed
  readonly #log: Log
  #resting: ReadonlyMap<string, Rest> = new Map()
  /** Counts changes, so that a result from before a change is not used after it. */
  #changes = 0
  #readAfter = -1
  #reading = false

  constructor({ pool, feed, log }: Options) {
    this.#pool = pool
    this.#feed = feed
    this.#log = log
    const readAgain = () => {
      this.#changes += 1
      this.#readSoon()
    }
    feed.listen('guildhall_project_states', { onChange: readAgain, onGap: readAgain })
  }

  /** Why a project rests; undefined where it does not. @throws ApiError 503 if the database cannot be reached */
  async restOf(projectId: string): Promise<Rest | undefined> {
    const isRead = this.#readAfter === this.#changes
    if (isRead && this.#feed.isLive('guildhall_project_states')) return this.#resting.get(projectId)
    if (!isRead) this.#readSoon()
    const query = { name: 'look_up_rest', text: `${RESTING} where id = $1`, values: [projectId] }
    const { rows } = await this.#pool.query<Row>(query).catch((error) => {
      throw translate(error, [])
    })
    return rows[0]?.rest
  }

  /**
   * Lets a credential of a project pass, unless the project rests. The credentials of a deleted project have ended.
   * @throws ApiError 403 for a suspended project; 401 for a deleted one
   */
  async assertOpen(projectId: string, { isKey }: { readonly isKey: boolean }): Promise<void> {
    const rest = await this.restOf(projectId)
    if (rest === 'suspended') throw projectSuspended()
    if (rest === 'deleted') throw invalidToken(isKey ? 'revoked' : 'session_ended')
  }

  #readSoon(): void {
    if (this.#reading) return
    this.#reading = true
    this.#readAll()
      .catch((error) =>
        this.#log.warn({ err: error }, 'the projects that rest could not be read; each project is looked up'),
      )
      .finally(() => {
        this.#reading = false
      })
  }

  async #readAll(): Promise<void> {
    while (this.#readAfter !== this.#changes) {
      const changes = this.#changes
      const { rows } = await this.#pool.query<Row>(RESTING)
      this.#resting = new Map(rows.map(({ id, rest }) => [id, rest]))
      this.#readAfter = changes
    }
  }
}

/** 403, for all credentials and pages of a project. */
export const projectSuspended = () =>
  new ApiError(
    403,
    'PROJECT_SUSPENDED',
    'This project is suspended. Nothing of it is lost: ask the operator of this installation to resume it',
  )
