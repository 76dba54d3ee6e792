import type { Pool, PoolClient } from 'pg'
import { isOutage } from '../db/outage.ts'
import type { Lane } from '../jobs/queues/lanes.ts'
import { JOBS_CONSUMER, type WorkSignal } from '../jobs/queues/work-signal.ts'
import type { WorkerMetrics } from '../jobs/worker-metrics.ts'
import type { Log } from '../telemetry/log.ts'
import { throttledWarn } from '../telemetry/throttled-warn.ts'
import type { FanOut, RelayedEvent } from './fan-out.ts'

const BATCH = 500
/**
 * Milliseconds between two polls: after rows were found, and the maximum while nothing happens and nobody tells this relay
 * of commits.
 */
const BUSY_MS = 5
const UNTOLD_MS = 1_000
/** Milliseconds that the relay pauses after the database failed. */
const FAULT_MS = 1_000

/**
 * Takes rows out of the outbox and puts the jobs among them where they are claimed. Rows that another relay has locked
 * are skipped, not waited for; a cursor over ids would miss rows that commit late. The time of the statement decides
 * what is due: rows that were written after the transaction began would not be due by the time of the transaction.
 */
const TAKE = `
  with next as (
    select ctid from outbox where retry_at is null or retry_at <= now()
    order by id limit $1 for update skip locked
  ), taken as (
    delete from outbox o using next where o.ctid = next.ctid
    returning o.project_id, o.id, o.kind, o.name, o.lane, o.payload, o.run_at, o.created_at, o.traceparent
  ), put as (
    insert into jobs (project_id, id, name, lane, payload, due_at, traceparent, created_at)
    select project_id, id, name, lane, payload, run_at, traceparent, created_at from taken where kind = 'job'
    on conflict (project_id, id) do nothing
  )
  select project_id, id, kind, name, lane, traceparent, run_at <= statement_timestamp() as due,
    case when kind = 'wake' then payload ->> 'key' end as key
  from taken`

interface Row {
  project_id: string
  id: string
  kind: 'event' | 'job' | 'wake'
  name: string
  lane: Lane | null
  traceparent: string | null
  due: boolean
  /** Of a wake. */
  key: string | null
}

interface Parts {
  /** Logs in as guildhall_relay. */
  readonly pool: Pool
  readonly fanOuts: readonly FanOut[]
  readonly wake: (wakes: readonly WorkSignal[]) => Promise<void>
  readonly metrics: WorkerMetrics
  readonly log: Log
  /** Milliseconds between two polls while nothing happens. A row of which nobody was told waits no longer. */
  readonly idleMs: number
  /** Whether notifications of commits reach this process now. While they do not, it polls each second. */
  readonly isTold: () => boolean
}

/**
 * Turns outbox rows into deliveries and jobs, in one transaction per batch, and wakes workers after its commit. Any
 * number of relays may run; each row is turned by exactly one that commits.
 */
export class Relay {
  readonly #parts: Parts
  readonly #stop = new AbortController()
  readonly #complain: (error: unknown) => void
  #running: Promise<void> | undefined
  /** The size of a batch. It is smaller while a row that cannot be relayed is being searched for. */
  #batch = BATCH
  #waking: Promise<void> = Promise.resolve()
  /** True when somebody has said that there are rows, since the last look. */
  #isWoken = false
  /** Ends the pause. */
  #endPause: () => void = () => undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#complain = throttledWarn(parts.log, 'the relay cannot reach the database')
  }

  start(): void {
    this.#running ??= this.#loop()
  }

  /** Looks at once. Called when rows may have been written. */
  wake(): void {
    this.#isWoken = true
    this.#endPause()
  }

  /** Stops after the current batch. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#endPause()
    await this.#running
    await this.#waking
  }

  async #loop(): Promise<void> {
    let pause = BUSY_MS
    let idle = false
    while (!this.#stop.signal.aborted) {
      this.#isWoken = false
      try {
        // An idle relay sends one short statement; a transaction would send three.
        const moved: number = idle && (await this.#isEmpty()) ? 0 : await this.#relayBatch()
        idle = moved === 0
        pause =
          moved === this.#batch ? 0 : moved > 0 ? BUSY_MS : Math.min(pause * 2 + 1, this.#longestPause())
        this.#batch = Math.min(this.#batch * 2, BATCH)
      } catch (error) {
        pause = await this.#afterFault(error)
      }
      if (pause > 0) await this.#pause(pause)
    }
  }

  #longestPause(): number {
    const { idleMs, isTold } = this.#parts
    return isTold() ? idleMs : Math.min(idleMs, UNTOLD_MS)
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isWoken || this.#stop.signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    this.#endPause = resolve
    await promise
    clearTimeout(timer)
  }

  async #isEmpty(): Promise<boolean> {
    const { rows } = await this.#parts.pool.query({ name: 'relay_look', text: 'select from outbox limit 1' })
    return rows.length === 0
  }

  /** @returns the number of rows */
  async #relayBatch(): Promise<number> {
    const { pool, metrics } = this.#parts
    const client = await pool.connect()
    let broken: Error | undefined
    let wakes: WorkSignal[]
    let moved: number
    try {
      await client.query('begin')
      const { rows } = await client.query<Row>({ name: 'relay_take', text: TAKE, values: [this.#batch] })
      moved = rows.length
      wakes = await this.#fanOut(client, rows)
      await client.query('commit')
    } catch (error) {
      broken = await client.query('rollback').then(
        () => undefined,
        (fault: Error) => fault,
      )
      throw error
    } finally {
      client.release(broken)
    }
    if (moved > 0) metrics.relayBatch.observe(moved)
    await this.#wake(wakes)
    return moved
  }

  async #fanOut(client: PoolClient, rows: readonly Row[]): Promise<WorkSignal[]> {
    const events: RelayedEvent[] = []
    const wakes: WorkSignal[] = []
    for (const { kind, project_id: projectId, id, name: type, lane, traceparent, due, key } of rows) {
      if (kind === 'event') events.push({ projectId, id, type, traceparent })
      else if (kind === 'wake' && lane !== null && key !== null)
        wakes.push({ lane, consumer: type, projectId, key })
      else if (due && lane !== null) wakes.push({ lane, consumer: JOBS_CONSUMER, projectId, key: projectId })
    }
    if (events.length === 0) return wakes
    for (const fanOut of this.#parts.fanOuts) wakes.push(...(await fanOut(client, events)))
    return wakes
  }

  /** Sends wakes while the next batch is read, at most one batch ahead. The sweep finds what could not be woken. */
  async #wake(wakes: readonly WorkSignal[]): Promise<void> {
    if (wakes.length === 0) return
    await this.#waking
    this.#waking = this.#parts.wake(wakes)
  }

  /**
   * A row that makes its batch fail must not stop the other rows: batches shrink until the row is alone, and then it is
   * set aside.
   * @returns milliseconds to pause
   */
  async #afterFault(error: unknown): Promise<number> {
    const { log, pool } = this.#parts
    if (isOutage(error)) {
      this.#complain(error)
      return FAULT_MS
    }
    if (this.#batch > 1) {
      log.error(
        { err: error, rows: this.#batch },
        'a batch of the outbox cannot be relayed; smaller ones are tried',
      )
      this.#batch = Math.max(1, Math.floor(this.#batch / 8))
      return 0
    }
    try {
      const { rows } = await pool.query<{ id: string }>(SET_ASIDE)
      log.error(
        { err: error, outbox_id: rows[0]?.id },
        'a row of the outbox cannot be relayed and was set aside',
      )
    } catch (fault) {
      this.#complain(fault)
    }
    return FAULT_MS
  }
}

const SET_ASIDE = `
  update outbox set retry_at = now() + interval '1 minute' where ctid = (
    select ctid from outbox where retry_at is null or retry_at <= now() order by id limit 1 for update skip locked
  ) returning id`
