import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Log } from '../../telemetry/log.ts'
import { type ThrottledWarn, throttledWarn } from '../../telemetry/throttled-warn.ts'
import { type DatabasePlace, directly, openPool } from '../pool.ts'
import { Replica, type ReplicaSizes } from './replica.ts'
import {
  ANSWER_MS,
  askStatus,
  type KnownPrimary,
  PRIMARY_STATUS,
  type PrimaryStatus,
} from './server-status.ts'

/** Milliseconds between two checks how far the replicas are. */
const CHECK_MS = 250
/** Milliseconds between two checks while somebody waits. */
const CLOSER_CHECK_MS = 20

export interface ReplicasOptions extends DatabasePlace {
  readonly DATABASE_REPLICA_URL: readonly string[]
  readonly REPLICA_MAX_LAG_MS: number
}

interface Parts {
  readonly log: Log
  readonly sizes: ReplicaSizes
}

/**
 * The standbys of DATABASE_REPLICA_URL. It checks all the time how far each has replayed, and leaves out those that cannot
 * be reached, are too far behind, were promoted, or are none of this primary. Without any it does nothing.
 */
export class Replicas {
  readonly all: readonly Replica[]
  readonly #primary: Pool
  readonly #warn: ThrottledWarn
  #timer: NodeJS.Timeout | undefined
  #closed = false
  /** Changes the order in which equally busy ones are asked. */
  #turn = 0

  constructor(options: ReplicasOptions, { log, sizes }: Parts) {
    const { REPLICA_MAX_LAG_MS: maxLagMs } = options
    const onError = () => undefined
    this.#primary = openPool(directly(options), { role: 'api', size: 1, waitMs: ANSWER_MS, onError })
    this.#warn = throttledWarn(log, 'the primary does not say what the replicas should show')
    this.all = options.DATABASE_REPLICA_URL.map(
      (url, n) => new Replica({ url, number: n + 1, keys: options, sizes, maxLagMs, log }),
    )
  }

  /** Starts to check; replicas are read once they are known. */
  start(): void {
    if (this.all.length === 0) return
    const tick = async () => {
      await this.#check(this.all)
      if (this.#closed) return
      this.#timer = setTimeout(tick, CHECK_MS)
      this.#timer.unref()
    }
    tick().catch(this.#warn)
  }

  /** The least busy replica that is not too far behind. */
  pick(): Replica | undefined {
    return this.#least((replica) => replica.shows(Number.NEGATIVE_INFINITY))
  }

  /**
   * A replica for an export, once it shows every commit until now, whichever process made it. Undefined where none does in time.
   */
  async caughtUp(withinMs: number): Promise<Replica | undefined> {
    const begun = performance.now()
    const isFit = (replica: Replica) => replica.takesCopies && replica.shows(begun)
    for (;;) {
      const candidates = this.all.filter(({ takesCopies }) => takesCopies)
      if (candidates.length === 0) return undefined
      await this.#check(candidates)
      const found = this.#least(isFit)
      if (found !== undefined || performance.now() - begun > withinMs || this.#closed) return found
      await sleep(CLOSER_CHECK_MS)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await Promise.all([this.#primary.end(), ...this.all.map((replica) => replica.close())])
  }

  #least(isFit: (replica: Replica) => boolean): Replica | undefined {
    this.#turn += 1
    const fit = this.all.filter(isFit)
    const first = this.#turn % Math.max(1, fit.length)
    return [...fit.slice(first), ...fit.slice(0, first)].toSorted((a, b) => a.load - b.load)[0]
  }

  async #check(replicas: readonly Replica[]): Promise<void> {
    const primary = await this.#askPrimary().catch((error) => {
      if (!this.#closed) this.#warn(error)
      return undefined
    })
    if (primary !== undefined) this.#warn.over()
    if (!this.#closed) await Promise.all(replicas.map((replica) => replica.check(primary)))
  }

  /** @throws Error where it does not answer, or is a standby */
  async #askPrimary(): Promise<KnownPrimary> {
    const at = performance.now()
    const { status } = await askStatus<PrimaryStatus>(this.#primary, PRIMARY_STATUS)
    if (status.written === null) throw new Error('DATABASE_URL leads to a standby')
    return { status, position: { at, bytes: status.written } }
  }
}
