import type { Pool } from 'pg'
import type { ChangeFeed } from '../change-feed.ts'
import { translate } from '../db/pg-errors.ts'
import { ApiError, invalidToken } from '../errors.ts'
import type { Log } from '../telemetry/log.ts'

/**
 * Why a project rests: an operator has suspended it, or has deleted it and can still restore it; or it lives in another cell, and what
 * is here is an old copy.
 */
export type Rest = 'suspended' | 'deleted' | 'moved'

interface Options {
  /** Logs in as guildhall_keys. */
  readonly pool: Pool
  readonly feed: ChangeFeed
  readonly log: Log
}

/** With those that were removed so recently that access tokens of theirs have not expired. */
const RESTING = `select id, rest, cell from (
    select id, case when deleted_at is null then 'suspended' else 'deleted' end as rest, null as cell
    from projects where suspended_at is not null or deleted_at is not null
    union all
    select side, 'deleted', null from project_removals, unnest(array[live_id, test_id]) as side
    where removed_at > now() - interval '2 hours'
    union all
    select id, 'moved', cell from project_locations
  ) as resting`

interface Row {
  readonly id: string
  readonly rest: Rest
  /** Where a project lives that has moved. */
  readonly cell: string | null
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
  #resting: ReadonlyMap<string, Row> = new Map()
  #someHaveMoved = false
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
    return (await this.#find(projectId))?.rest
  }

  /** The cell in which a project lives that has moved; undefined for all others. @throws ApiError 503 as `restOf` */
  async cellOf(projectId: string): Promise<string | undefined> {
    return (await this.#find(projectId))?.cell ?? undefined
  }

  /** @throws ProjectElsewhere for a project that has moved; ApiError 503 as `restOf` */
  async assertHere(projectId: string): Promise<void> {
    const cell = await this.cellOf(projectId)
    if (cell !== undefined) throw new ProjectElsewhere(projectId, cell)
  }

  /** The cells in which projects live that have moved, as far as this process knows. */
  get cellsOfMoved(): ReadonlySet<string> {
    return new Set([...this.#resting.values()].flatMap(({ cell }) => cell ?? []))
  }

  /** Whether projects have moved to other cells. While nobody can say, it is true. */
  get someHaveMoved(): boolean {
    return this.#readAfter !== this.#changes || this.#someHaveMoved
  }

  /** Asks the database whether there is such a project that has not moved. @throws ApiError 503 as `restOf` */
  async isHere(projectId: string): Promise<boolean> {
    const query = { name: 'look_up_project', text: 'select from projects where id = $1', values: [projectId] }
    const { rowCount } = await this.#pool.query(query).catch((error) => {
      throw translate(error, [])
    })
    return rowCount === 1 && (await this.cellOf(projectId)) === undefined
  }

  async #find(projectId: string): Promise<Row | undefined> {
    const isRead = this.#readAfter === this.#changes
    if (isRead && this.#feed.isLive('guildhall_project_states')) return this.#resting.get(projectId)
    if (!isRead) this.#readSoon()
    const query = { name: 'look_up_rest', text: `${RESTING} where id = $1`, values: [projectId] }
    const { rows } = await this.#pool.query<Row>(query).catch((error) => {
      throw translate(error, [])
    })
    return newestOf(rows).get(projectId)
  }

  /**
   * Lets a credential of a project pass, unless the project rests. The credentials of a deleted project have ended.
   * @throws ApiError 403 for a suspended project; 401 for a deleted one; ProjectElsewhere for one that has moved
   */
  async assertOpen(projectId: string, { isKey }: { readonly isKey: boolean }): Promise<void> {
    const found = await this.#find(projectId)
    if (found === undefined) return
    const { rest, cell } = found
    if (cell !== null) throw new ProjectElsewhere(projectId, cell)
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
      this.#resting = newestOf(rows)
      this.#someHaveMoved = rows.some(({ cell }) => cell !== null)
      this.#readAfter = changes
    }
  }
}

/** By project. An old copy that is being removed is one that has moved. */
const newestOf = (rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(
    rows.toSorted((a, b) => Number(a.cell !== null) - Number(b.cell !== null)).map((row) => [row.id, row]),
  )

/** A project lives in another cell. The API forwards the request there; whoever cannot, answers 503. */
export class ProjectElsewhere extends ApiError {
  override name = 'ProjectElsewhere'
  readonly projectId: string
  readonly cell: string

  constructor(projectId: string, cell: string) {
    super(503, 'PROJECT_MOVED', 'This project has just moved to another installation: try again', {
      headers: { 'retry-after': '1' },
    })
    this.projectId = projectId
    this.cell = cell
  }
}

/** 403, for all credentials and pages of a project. */
export const projectSuspended = () =>
  new ApiError(
    403,
    'PROJECT_SUSPENDED',
    'This project is suspended. Nothing of it is lost: ask the operator of this installation to resume it',
  )
