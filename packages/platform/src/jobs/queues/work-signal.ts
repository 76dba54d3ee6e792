import type { PoolClient } from 'pg'
import type { Context } from '../../db/tenant.ts'
import type { Log } from '../../log.ts'
import type { AreaWorkerDeps } from '../../worker-deps.ts'
import type { Lane } from './lanes.ts'

/**
 * "Look there, something is due": all that travels through BullMQ. It carries no work, so a lost one costs time only
 * (the sweep finds what is due), and any number of them for one key are worth one.
 */
export interface WorkSignal {
  readonly lane: Lane
  /** The name of the consumer that it wakes. */
  readonly consumer: string
  readonly projectId: string
  /** What to look at, a uuid such as an endpoint's. */
  readonly key: string
  /** Milliseconds from now, below zero for work that is late by as much; at once where omitted. */
  readonly delay?: number
}

/** The consumer behind `defineJob`: runs the due jobs of a lane and project, whose id is the key. */
export const JOBS_CONSUMER = 'jobs'

/** What one run of a consumer is given. */
export interface ConsumerRun {
  readonly projectId: string
  readonly key: string
  readonly lane: Lane
  /** Aborted when the worker stops: finish what is in flight, begin nothing. */
  readonly signal: AbortSignal
  readonly deps: AreaWorkerDeps
  readonly log: Log
  inProject<T>(work: (ctx: Context) => PromiseLike<T>): Promise<T>
}

/** A consumer at work in one process. */
export interface RunningConsumer {
  /**
   * Works off what is due for a key, a bounded part at a time. Wakes that come while one runs are kept as one more run
   * after it. Usually one runs per key, but after a crash two may: rows are claimed with a lease and a fencing token.
   * @returns milliseconds after which to be run again (0: after whoever else waits); undefined when nothing is left
   */
  run(run: ConsumerRun): Promise<number | undefined>
  /** Called when no run is left, before the process ends. */
  close(): Promise<void>
}

/** A kind of work that is found by key. */
export interface KeyedConsumer {
  readonly name: string
  /** Makes what it works with in this process (connections, batches over several keys); called once. */
  start(deps: AreaWorkerDeps): RunningConsumer
}

/** Declares a consumer; it becomes known by being listed in the registry of areas. */
export const defineKeyedConsumer = (consumer: KeyedConsumer): KeyedConsumer => Object.freeze(consumer)

/**
 * Finds what is due, or whose lease has ended, and was not woken, or whose wake got lost. Every worker asks every 5 s.
 * It is the only recovery there is, after crashes, an emptied Redis and restarts alike.
 */
export interface Sweep {
  readonly name: string
  /**
   * @param client logs in as guildhall_relay
   * @param limit wakes at the most
   */
  find(client: PoolClient, limit: number): Promise<WorkSignal[]>
}

/** Declares a sweep; it becomes known by being listed in the registry of areas. */
export const defineSweep = (sweep: Sweep): Sweep => Object.freeze(sweep)
