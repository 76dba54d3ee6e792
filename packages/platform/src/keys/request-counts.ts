import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import type { Log } from '../telemetry/log.ts'

/** Milliseconds between two writes; with the write itself, a crash loses less than ten seconds. */
const FLUSH_MS = 5_000

/**
 * Adds what a process has counted, unless it did so before: counts are numbered, and are sent in their order, each until its
 * answer has come.
 */
const ADD = `
  with taken as (
    insert into request_counters as c (process, last_count) values ($1, $2)
    on conflict (process) do update set last_count = excluded.last_count, counted_at = now()
      where c.last_count < excluded.last_count
    returning process
  )
  insert into project_usage as u (side, day, requests)
  select w.side, w.day, w.requests from taken, unnest($3::uuid[], $4::date[], $5::bigint[]) as w (side, day, requests)
  order by w.side, w.day
  on conflict (side, day) do update set requests = u.requests + excluded.requests`

/** Requests by side and day: `<id> 2026-11-23`. */
type Counts = Map<string, number>

/** Counts the requests of each project in this process, and adds them to its usage every few seconds. */
export class RequestCounts {
  readonly #pool: Pick<Pool, 'query'>
  readonly #log: Log
  readonly #process = randomUUID()
  readonly #timer: NodeJS.Timeout
  #counts: Counts = new Map()
  /** What was sent and not yet confirmed. It is sent again under its number, whatever became of it. */
  #sent: Counts | undefined
  #number = 0
  #flushing: Promise<void> | undefined

  /** @param pool logs in as guildhall_keys */
  constructor(pool: Pick<Pool, 'query'>, log: Log) {
    this.#pool = pool
    this.#log = log
    this.#timer = setInterval(() => this.flush(), FLUSH_MS)
    this.#timer.unref()
  }

  /** Counts one request. @param now milliseconds since 1970 */
  add(projectId: string, now = Date.now()): void {
    const key = `${projectId} ${new Date(now).toISOString().slice(0, 10)}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** Writes what was counted. What cannot be written is written the next time. Never rejects. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush()
      .catch((error) =>
        this.#log.warn({ err: error }, 'requests could not be counted; they are counted with the next ones'),
      )
      .finally(() => {
        this.#flushing = undefined
      })
    return this.#flushing
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    // What is being sent, and then the rest.
    await this.flush()
    await this.flush()
  }

  async #flush(): Promise<void> {
    if (this.#sent === undefined) {
      if (this.#counts.size === 0) return
      this.#sent = this.#counts
      this.#counts = new Map()
      this.#number += 1
    }
    const rows = [...this.#sent].map(([key, requests]) => [...key.split(' '), requests] as const)
    await this.#pool.query({
      name: 'add_requests',
      text: ADD,
      values: [
        this.#process,
        this.#number,
        ...([0, 1, 2] as const).map((column) => rows.map((row) => row[column])),
      ],
    })
    this.#sent = undefined
  }
}
