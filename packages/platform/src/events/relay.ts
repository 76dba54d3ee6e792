import type { Pool } from 'pg'
import { isOutage } from '../db/pg-errors.ts'
import type { WorkSignal } from '../jobs/queues/work-signal.ts'
import type { WorkerMetrics } from '../jobs/worker-metrics.ts'
import type { Log } from '../telemetry/log.ts'
import { type ThrottledWarn, throttledWarn } from '../telemetry/throttled-warn.ts'
import type { FanOut } from './fan-out.ts'
import { type RelayedRow, relayStatement, SET_ASIDE } from './relay-statement.ts'

const BATCH = 500
/**
 * Milliseconds between two polls: after rows were found, and the maximum while nothing happens and nobody notifies this
 * relay of commits.
 */
const BUSY_MS = 5
const NOT_LISTENING_MS = 1_000
/** Milliseconds that the relay pauses after the database failed. */
const FAULT_MS = 1_000

interface Parts {
  /** Logs in as guildhall_relay. */
  readonly pool: Pool
  readonly fanOuts: readonly FanOut[]
  readonly sendSignals: (signals: readonly WorkSignal[]) => Promise<void>
  readonly metrics: WorkerMetrics
  readonly log: Log
  /** Milliseconds between two polls while nothing happens. A row without a notification waits no longer. */
  readonly idleMs: number
  /** Whether notifications of commits reach this process now. While they do not, it polls each second. */
  readonly isListening: () => boolean
}

/**
 * Turns outbox rows into deliveries and jobs, with one statement per batch, and signals workers after its commit. Any
 * number of relays may run; each row is turned by exactly one that commits.
 */
export class Relay {
  readonly #parts: Parts
  readonly #statement: string
  readonly #stop = new AbortController()
  readonly #complain: ThrottledWarn
  #running: Promise<void> | undefined
  /** The size of a batch. It is smaller while a row that cannot be relayed is being searched for. */
  #batch = BATCH
  #sending: Promise<void> = Promise.resolve()
  /** True when a notification of rows has come since the last look. */
  #isNotified = false
  /** Ends the pause. */
  #endPause: () => void = () => undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#statement = relayStatement(parts.fanOuts)
    this.#complain = throttledWarn(parts.log, 'the relay cannot reach the database')
  }

  start(): void {
    this.#running ??= this.#loop()
  }

  /** Looks at once. Called when rows may have been written. */
  notify(): void {
    this.#isNotified = true
    this.#endPause()
  }

  /** Stops after the current batch. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.#endPause()
    await this.#running
    await this.#sending
  }

  async #loop(): Promise<void> {
    let pause = BUSY_MS
    let probablyEmpty = false
    while (!this.#stop.signal.aborted) {
      // After a notification there are rows, so it does not look first.
      const looksFirst = probablyEmpty && !this.#isNotified
      this.#isNotified = false
      try {
        const moved: number = looksFirst && (await this.#isEmpty()) ? 0 : await this.#relayBatch()
        this.#complain.over()
        probablyEmpty = moved < this.#batch
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
    const { idleMs, isListening } = this.#parts
    return isListening() ? idleMs : Math.min(idleMs, NOT_LISTENING_MS)
  }

  async #pause(ms: number): Promise<void> {
    if (this.#isNotified || this.#stop.signal.aborted) return
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
    const { metrics } = this.#parts
    const rows = await this.#takeBatch()
    const moved = rows.reduce((sum, row) => sum + (row.moved ?? 0), 0)
    if (moved > 0) metrics.relayBatch.observe(moved)
    await this.#send(
      rows.flatMap(({ lane, consumer, project_id: projectId, key }) =>
        lane && consumer && projectId && key ? [{ lane, consumer, projectId, key }] : [],
      ),
    )
    return moved
  }

  /**
   * When it fails, its rows are free again: PostgreSQL tells an error before it rolls back, and whoever skipped locked rows at that
   * moment would set a sound row aside. The next statement of the same connection comes after the rollback.
   */
  async #takeBatch(): Promise<RelayedRow[]> {
    const client = await this.#parts.pool.connect()
    try {
      const { rows } = await client.query<RelayedRow>({
        name: 'relay_batch',
        text: this.#statement,
        values: [this.#batch],
      })
      client.release()
      return rows
    } catch (error) {
      await client.query('select').then(
        () => client.release(),
        () => client.release(true),
      )
      throw error
    }
  }

  /** Sends signals while the next batch is read, at most one batch ahead. The sweep finds what could not be notified. */
  async #send(signals: readonly WorkSignal[]): Promise<void> {
    if (signals.length === 0) return
    await this.#sending
    this.#sending = this.#parts.sendSignals(signals)
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
