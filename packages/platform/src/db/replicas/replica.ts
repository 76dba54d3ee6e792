import type { Pool, PoolClient } from 'pg'
import { keysOf, type SecretKeys } from '../../secrets/secret-keys.ts'
import type { Log } from '../../telemetry/log.ts'
import { connectionsOf } from '../connections.ts'
import { openPool } from '../pool.ts'
import { ReplayProgress } from './replay-progress.ts'
import {
  ANSWER_MS,
  askStatus,
  behind,
  destroy,
  judgeReplica,
  type KnownPrimary,
  NOT_CHECKED_YET,
  REPLICA_STATUS,
  type ReplicaProblem,
  type ReplicaStatus,
  unreachable,
} from './server-status.ts'

/** A read waits this long for a connection before it goes to the primary. */
const WAIT_MS = 1_000
/** A replica of which a read failed is left out for this time at least. */
const REST_MS = 1_000

/** Connections to a replica: for requests, for reports, and for exports. */
export interface ReplicaSizes {
  readonly reads: number
  readonly reports: number
  readonly copies: number
}

export interface ReplicaOptions {
  readonly url: string
  /** From 1, in the order of DATABASE_REPLICA_URL. */
  readonly number: number
  readonly keys: SecretKeys
  readonly sizes: ReplicaSizes
  /** Milliseconds that it may be behind. */
  readonly maxLagMs: number
  readonly log: Log
}

/** One standby: its connections, how far it has replayed, and whether it may be read. */
export class Replica {
  readonly number: number
  /** For reads of requests. */
  readonly pool: Pool
  /** For reports. */
  readonly reportPool: Pool
  /** For exports. */
  readonly copyPool: Pool
  readonly #options: ReplicaOptions
  readonly #name: string
  readonly #progress = new ReplayProgress()
  readonly #clients = new Set<PoolClient>()
  readonly #statusPool: Pool
  #problem: ReplicaProblem | undefined = NOT_CHECKED_YET
  #feedback = false
  #isChecking = false
  #restsUntil = 0

  constructor(options: ReplicaOptions) {
    const { url, number, keys, sizes } = options
    this.#options = options
    this.number = number
    this.#name = `replica ${number} (${new URL(url).host})`
    const place = { DATABASE_URL: url, ...keysOf(keys) }
    // A standby that was promoted a moment ago would take writes, and they would be lost.
    const ofReplica = { waitMs: WAIT_MS, isReadOnly: true, onError: () => undefined } as const
    this.pool = openPool(place, { ...ofReplica, role: 'api', size: sizes.reads })
    this.reportPool = openPool(place, { ...ofReplica, role: 'reports', size: sizes.reports })
    this.copyPool = openPool(place, { ...ofReplica, role: 'reports', size: sizes.copies })
    const onError = (error: Error) => this.#lose(error)
    this.#statusPool = openPool(place, { role: 'api', size: 1, waitMs: ANSWER_MS, onError })
    for (const pool of [this.pool, this.reportPool]) {
      pool.on('connect', (client) => this.#clients.add(client))
      pool.on('remove', (client) => this.#clients.delete(client))
    }
  }

  /** Why it is not read, or undefined. */
  get problem(): ReplicaProblem | undefined {
    return this.#problem
  }

  /** Milliseconds that it is behind: 0 where it shows all that the primary had written at the last check. */
  get lagMs(): number {
    const { isKnown, lagBytes, ageMs } = this.#progress
    if (!isKnown) return Number.POSITIVE_INFINITY
    return lagBytes === 0 ? 0 : ageMs
  }

  get lagBytes(): number {
    return this.#progress.lagBytes
  }

  /** Connections that requests use or wait for. */
  get load(): number {
    return this.pool.totalCount - this.pool.idleCount + connectionsOf(this.pool).waitingCount
  }

  /** Whether it may be read, and shows every commit before a moment of this process's clock. */
  shows(moment: number): boolean {
    if (this.#problem !== undefined) return false
    const oldest = performance.now() - this.#options.maxLagMs
    return this.#progress.freshAsOf >= Math.max(moment, oldest)
  }

  /** Whether exports may be read from it: the primary keeps the rows that a long export still reads. */
  get takesCopies(): boolean {
    return this.#problem === undefined && this.#feedback
  }

  /** A read of it failed. It is left out for a while, and until a check finds it well. */
  reportTrouble(pool: Pool, error: unknown): void {
    // Where all connections are in use, waiting for one in vain says nothing about the server.
    if (pool.idleCount === 0 && pool.totalCount >= pool.options.max) return
    this.#restsUntil = performance.now() + REST_MS
    this.#leaveOut(unreachable(error))
  }

  /** Checks how far it is. One check at a time; a failure is noted, never thrown. */
  async check(primary: KnownPrimary | undefined): Promise<void> {
    if (primary !== undefined) this.#progress.note(primary.position)
    if (this.#isChecking) return
    this.#isChecking = true
    try {
      const { status, process } = await askStatus<ReplicaStatus>(this.#statusPool, REPLICA_STATUS)
      this.#judge(status, process, primary)
    } catch (error) {
      this.#lose(error)
      // This server does not answer. Requests that wait for it go to the primary.
      for (const client of this.#clients) destroy(client)
    } finally {
      this.#isChecking = false
    }
  }

  async close(): Promise<void> {
    // A server that answers nothing does not say goodbye either.
    if (this.#problem?.code === 'unreachable') for (const client of this.#clients) destroy(client)
    for (const pool of [this.#statusPool, this.copyPool, this.reportPool, this.pool]) await pool.end()
  }

  #judge(status: ReplicaStatus, process: number, primary: KnownPrimary | undefined): void {
    // Without the primary nobody knows what it should show; it becomes too old by itself.
    const problem = primary && judgeReplica(status, process, primary.status)
    if (problem !== undefined) {
      this.#progress.reset()
      this.#leaveOut(problem)
      return
    }
    if (primary !== undefined) this.#progress.reach(status.replayed ?? 0)
    if (this.#problem === undefined && status.feedback !== this.#feedback) this.#logExports(status.feedback)
    this.#feedback = status.feedback
    this.#judgeAge()
  }

  /** It comes back at half of the bound, so that it does not come and go all the time. */
  #judgeAge(): void {
    const { maxLagMs } = this.#options
    const { ageMs, isKnown } = this.#progress
    if (ageMs > maxLagMs) this.#leaveOut(behind(maxLagMs))
    else if (this.#problem !== undefined && isKnown && performance.now() >= this.#restsUntil) {
      if (this.#problem.code !== 'behind' || ageMs <= maxLagMs / 2) this.#takeIn()
    }
  }

  #takeIn(): void {
    this.#problem = undefined
    this.#options.log.info(`${this.#name} is read now`)
    if (!this.#feedback) this.#logExports(false)
  }

  #logExports(feedback: boolean): void {
    const { log } = this.#options
    if (feedback) log.info(`${this.#name} takes exports now`)
    else
      log.warn(
        `${this.#name} takes no exports: set hot_standby_feedback = on there, because vacuum on the primary would end long exports`,
      )
  }

  #leaveOut(problem: ReplicaProblem): void {
    const before = this.#problem
    this.#problem = problem
    if (before?.code !== problem.code)
      this.#options.log.warn(`${this.#name} ${problem.sentence}. It is left out, and the primary answers`)
  }

  /**
   * The server does not answer. A standby that was restarted shows less than before until it has replayed it again, so
   * nothing is known any more.
   */
  #lose(error: unknown): void {
    this.#progress.reset()
    this.#leaveOut(unreachable(error))
  }
}
