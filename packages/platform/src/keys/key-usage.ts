import type { Pool } from 'pg'
import type { Log } from '../telemetry/log.ts'
import type { ApiKey } from './key-store.ts'

const FLUSH_MS = 10_000

/** Records when keys were last used, in one statement every ten seconds instead of one per request. */
export class KeyUsage {
  readonly #pool: Pool
  readonly #log: Log
  readonly #timer: NodeJS.Timeout
  /** Milliseconds since 1970, by key. */
  #used = new Map<ApiKey, number>()

  #flushing: Promise<void> = Promise.resolve()

  constructor(pool: Pool, log: Log) {
    this.#pool = pool
    this.#log = log
    this.#timer = setInterval(() => this.flush(), FLUSH_MS)
    this.#timer.unref()
  }

  record(key: ApiKey): void {
    this.#used.set(key, Date.now())
  }

  /** Writes what was recorded until now. What cannot be written is kept for the next time. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#flush())
    return this.#flushing
  }

  async #flush(): Promise<void> {
    if (this.#used.size === 0) return
    const used = this.#used
    this.#used = new Map()
    try {
      const keys = [...used.keys()]
      await this.#pool.query(
        `update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
         from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as u (project_id, id, at)
         where k.project_id = u.project_id and k.id = u.id`,
        [
          keys.map((key) => key.projectId),
          keys.map((key) => key.id),
          [...used.values()].map((at) => new Date(at)),
        ],
      )
    } catch (error) {
      this.#log.warn({ err: error }, 'the use of keys could not be recorded; it will be tried again')
      for (const [key, at] of used) this.#used.set(key, Math.max(at, this.#used.get(key) ?? 0))
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
