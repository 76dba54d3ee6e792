import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../../telemetry/log.ts'
import { throttledWarn } from '../../telemetry/throttled-warn.ts'
import { type DatabasePlace, directUrlOf } from '../database-address.ts'
import { urlOf } from '../pool.ts'
import { types } from '../types.ts'
import { ANSWER_MS, Replica, type ReplicaSizes } from './replica.ts'
import { ASK_PRIMARY, type KnownPrimary, type PrimaryLook } from './replica-look.ts'

/** Milliseconds between two looks how far the replicas are. */
export const LOOK_MS = 250
/** Milliseconds between two looks while somebody waits. */
const CLOSER_LOOK_MS = 20

export interface ReplicasOptions extends DatabasePlace {
  readonly DATABASE_REPLICA_URL: readonly string[]
  readonly REPLICA_MAX_LAG_MS: number
}

interface Parts {
  readonly log: Log
  readonly sizes: ReplicaSizes
}

/**
 * The standbys of DATABASE_REPLICA_URL. It looks all the time how far each has replayed, and leaves out those that cannot
 * be reached, are too far behind, were promoted, or are none of this primary. Without any it does nothing.
 */
export class Replicas {
  readonly all: readonly Replica[]
  readonly #primaryUrl: string
  readonly #warn: (error: unknown) => void
  #primary: pg.Client | undefined
  #timer: NodeJS.Timeout | undefined
  #closed = false
  /** Changes the order in which equally busy ones are asked. */
  #turn = 0

  constructor(options: ReplicasOptions, { log, sizes }: Parts) {
    const { SECRET_KEY: secretKey, REPLICA_MAX_LAG_MS: maxLagMs } = options
    this.#primaryUrl = urlOf(directUrlOf(options), 'api', secretKey)
    this.#warn = throttledWarn(log, 'the primary does not say what the replicas should show')
    this.all = options.DATABASE_REPLICA_URL.map(
      (url, n) => new Replica({ url, number: n + 1, secretKey, sizes, maxLagMs, log }),
    )
  }

  /** Starts to look; replicas are read once they are known. */
  start(): void {
    if (this.all.length === 0) return
    const tick = async () => {
      await this.#look(this.all)
      if (this.#closed) return
      this.#timer = setTimeout(tick, LOOK_MS)
      this.#timer.unref()
    }
    tick().catch(this.#warn)
  }

  /** The least busy replica that is not too far behind. */
  pick(): Replica | undefined {
    return this.#least((replica) => replica.shows(Number.NEGATIVE_INFINITY))
  }

  /**
   * A replica for an export, once it shows every commit until now, whichever process made it. Undefined where none does in
   * time.
   */
  async caughtUp(withinMs: number): Promise<Replica | undefined> {
    const begun = performance.now()
    const isFit = (replica: Replica) => replica.takesCopies && replica.shows(begun)
    for (;;) {
      const candidates = this.all.filter(({ takesCopies }) => takesCopies)
      if (candidates.length === 0) return undefined
      await this.#look(candidates)
      const found = this.#least(isFit)
      if (found !== undefined || performance.now() - begun > withinMs || this.#closed) return found
      await sleep(CLOSER_LOOK_MS)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    this.#drop()
    await Promise.all(this.all.map((replica) => replica.close()))
  }

  #least(isFit: (replica: Replica) => boolean): Replica | undefined {
    this.#turn += 1
    const fit = this.all.filter(isFit)
    const first = this.#turn % Math.max(1, fit.length)
    const turned = [...fit.slice(first), ...fit.slice(0, first)]
    return turned.reduce<Replica | undefined>(
      (best, each) => (best === undefined || each.load < best.load ? each : best),
      undefined,
    )
  }

  async #look(replicas: readonly Replica[]): Promise<void> {
    const primary = await this.#askPrimary().catch((error) => {
      this.#drop()
      if (!this.#closed) this.#warn(error)
      return undefined
    })
    if (!this.#closed) await Promise.all(replicas.map((replica) => replica.look(primary)))
  }

  async #askPrimary(): Promise<KnownPrimary> {
    this.#primary ??= await this.#connect()
    const at = performance.now()
    const { rows } = await this.#primary.query<PrimaryLook>(ASK_PRIMARY)
    const look = rows[0]
    if (look === undefined || look.written === null) throw new Error('DATABASE_URL leads to a standby')
    return { look, position: { at, bytes: look.written } }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#primaryUrl,
      application_name: 'guildhall replicas',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      types,
    })
    client.on('error', () => this.#drop())
    await client.connect()
    return client
  }

  #drop(): void {
    const client = this.#primary
    this.#primary = undefined
    client?.end().catch(() => undefined)
  }
}
