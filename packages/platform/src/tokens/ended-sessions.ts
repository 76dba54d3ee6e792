import type { Pool } from 'pg'
import type { ChangeFeed } from '../change-feed.ts'
import { translate } from '../db/pg-errors.ts'
import type { Log } from '../telemetry/log.ts'

/** How long an access token lives. */
export const ACCESS_TOKEN_SECONDS = 3_600

/** The access tokens of sessions that ended longer ago have expired. */
const KEEP_MS = (ACCESS_TOKEN_SECONDS + 60) * 1_000
const SWEEP_MS = 60_000

interface Options {
  /** Logs in as guildhall_keys. */
  readonly pool: Pool
  readonly feed: ChangeFeed
  readonly log: Log
}

/**
 * Knows which sessions have ended, so that every process refuses their access tokens within a second without asking the
 * database. Sessions that ended within the lifetime of an access token are read at the start and after every gap of the
 * change feed; during a gap, the database is asked each time.
 */
export class EndedSessions {
  readonly #pool: Pool
  readonly #feed: ChangeFeed
  readonly #log: Log
  readonly #timer: NodeJS.Timeout
  /** The time at which each one was learned, in milliseconds since 1970. */
  readonly #ended = new Map<string, number>()
  /** Counts the gaps of the change feed. A read that started before the newest gap may be incomplete. */
  #gaps = 0
  #readAfterGap = -1

  constructor({ pool, feed, log }: Options) {
    this.#pool = pool
    this.#feed = feed
    this.#log = log
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS).unref()
    feed.listen('guildhall_ended_sessions', {
      onChange: (id) => this.add(id),
      onGap: () => {
        this.#gaps += 1
        this.#readAll().catch((error) =>
          log.warn({ err: error }, 'the ended sessions could not be read; each session is looked up'),
        )
      },
    })
  }

  /** From now on this process refuses the tokens of a session that has ended. */
  add(sessionId: string): void {
    this.#ended.set(sessionId, Date.now())
  }

  /** Whether the tokens of a session must be refused. @throws ApiError 503 if the database cannot be reached */
  async has(projectId: string, sessionId: string): Promise<boolean> {
    if (this.#ended.has(sessionId)) return true
    if (this.#readAfterGap === this.#gaps && this.#feed.isLive()) return false
    return this.#ask(projectId, sessionId)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** A session that does not exist has ended too. */
  async #ask(projectId: string, sessionId: string): Promise<boolean> {
    const { rowCount } = await this.#pool
      .query({
        name: 'look_up_session',
        text: 'select from sessions where project_id = $1 and id = $2 and ended_at is null',
        values: [projectId, sessionId],
      })
      .catch((error) => {
        throw translate(error, [])
      })
    return rowCount === 0
  }

  async #readAll(): Promise<void> {
    const gap = this.#gaps
    const { rows } = await this.#pool.query<{ id: string }>(
      'select id from sessions where ended_at > now() - make_interval(secs => $1)',
      [KEEP_MS / 1_000],
    )
    for (const { id } of rows) this.#ended.set(id, Date.now())
    this.#readAfterGap = gap
    if (rows.length > 0) this.#log.debug({ sessions: rows.length }, 'ended sessions read')
  }

  #sweep(): void {
    const old = Date.now() - KEEP_MS
    for (const [id, endedAt] of this.#ended) if (endedAt < old) this.#ended.delete(id)
    // A failed read is tried again.
    if (this.#readAfterGap !== this.#gaps) this.#readAll().catch(() => {})
  }
}
