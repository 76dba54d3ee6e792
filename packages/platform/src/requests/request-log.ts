import type { Pool } from 'pg'
import { Counter, type Registry } from 'prom-client'
import type { Log } from '../telemetry/log.ts'
import { throttledWarn } from '../telemetry/throttled-warn.ts'

/** A request of a project that was answered. Neither its body nor its address is in it. Ids are stored ones. */
export interface LoggedRequest {
  readonly projectId: string
  /** When it came, in milliseconds since 1970. */
  readonly at: number
  readonly method: string
  /** The pattern of its path. */
  readonly route: string
  readonly status: number
  /** Milliseconds until the answer was sent. */
  readonly ms: number
  readonly keyId: string | null
  readonly memberId: string | null
  readonly operatorId: string | null
  readonly requestId: string
  /** The code of its error. */
  readonly code: string | null
}

const FLUSH_MS = 500
/** Rows of one statement. */
const BATCH = 1_000
/** Requests that wait to be written; those beyond are dropped. They take about 3 MB. */
const MOST_WAITING = 10_000

/** Its rows are ordered by their time, so ids need no order. */
const INSERT = `insert into request_log
    (project_id, id, at, method, route, status, ms, key_id, member_id, operator_id, request_id, code)
  select project_id, gen_random_uuid(), to_timestamp(at / 1000), method, route, status, ms, key_id, member_id, operator_id, request_id, code
  from unnest($1::uuid[], $2::float8[], $3::text[], $4::text[], $5::smallint[], $6::float8[],
    $7::uuid[], $8::uuid[], $9::uuid[], $10::text[], $11::text[])
    as r (project_id, at, method, route, status, ms, key_id, member_id, operator_id, request_id, code)`

/**
 * Writes the requests of all projects beside them, in batches. No request waits for it: what cannot be written, or comes
 * faster than it is written, is dropped and counted.
 */
export class RequestLog {
  readonly #pool: Pick<Pool, 'query'>
  readonly #dropped: Counter
  readonly #warn: ReturnType<typeof throttledWarn>
  readonly #timer: NodeJS.Timeout
  #waiting: LoggedRequest[] = []
  #writing: Promise<void> | undefined

  /** @param pool logs in as guildhall_keys, which may add rows of all projects */
  constructor(pool: Pick<Pool, 'query'>, registry: Registry, log: Log) {
    this.#pool = pool
    this.#warn = throttledWarn(log, 'requests are missing in the request log')
    this.#dropped = new Counter({
      name: 'guildhall_request_log_dropped_total',
      help: 'Requests that are missing in the request log, because it could not be written fast enough',
      registers: [registry],
    })
    this.#timer = setInterval(() => this.#write(), FLUSH_MS)
    this.#timer.unref()
  }

  note(request: LoggedRequest): void {
    if (this.#waiting.length >= MOST_WAITING) {
      this.#dropped.inc()
      return
    }
    this.#waiting.push(request)
    if (this.#waiting.length === BATCH) this.#write()
  }

  /** Writes what was noted before it was called. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined || this.#waiting.length > 0) {
      this.#write()
      await this.#writing
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  /** One statement at a time. */
  #write(): void {
    if (this.#writing !== undefined || this.#waiting.length === 0) return
    const rows = this.#waiting.splice(0, BATCH)
    this.#writing = this.#insert(rows).then(() => {
      this.#writing = undefined
      if (this.#waiting.length >= BATCH) this.#write()
    })
  }

  async #insert(rows: readonly LoggedRequest[]): Promise<void> {
    try {
      await this.#pool.query(INSERT, columnsOf(rows))
      this.#warn.over()
    } catch (error) {
      this.#dropped.inc(rows.length)
      this.#warn(error)
    }
  }
}

/** Ids and numbers need no quotes: putting them together here takes less than half of what the driver takes for an array. */
const literal = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`

const columnsOf = (rows: readonly LoggedRequest[]): unknown[] => [
  literal(rows.map(({ projectId }) => projectId)),
  literal(rows.map(({ at }) => at)),
  rows.map(({ method }) => method),
  rows.map(({ route }) => route),
  literal(rows.map(({ status }) => status)),
  literal(rows.map(({ ms }) => ms)),
  literal(rows.map(({ keyId }) => keyId)),
  literal(rows.map(({ memberId }) => memberId)),
  literal(rows.map(({ operatorId }) => operatorId)),
  rows.map(({ requestId }) => requestId),
  rows.map(({ code }) => code),
]
