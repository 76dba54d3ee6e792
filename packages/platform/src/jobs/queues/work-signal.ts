import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { defineQuery } from '../../db/query.ts'
import { query } from '../../db/statement.ts'
import type { Context, ProjectData } from '../../db/tenant.ts'
import { newUuid } from '../../ids.ts'
import type { Log } from '../../telemetry/log.ts'
import type { AreaWorkerDeps } from '../../worker-deps.ts'
import type { Lane } from './lanes.ts'

/**
 * A signal that work is due: the only data in BullMQ. It carries no work, so a lost signal costs only time (the sweep
 * finds what is due), and many signals for one key equal one.
 */
export interface WorkSignal {
  readonly lane: Lane
  /** The name of the consumer that it signals. */
  readonly consumer: string
  readonly projectId: string
  /** What to look at, a uuid such as an endpoint's. */
  readonly key: string
  /** Milliseconds from now, below zero for work that is late by as much; at once where omitted. */
  readonly delay?: number
}

/** The consumer behind `defineJob`: runs the due jobs of a lane and project, whose id is the key. */
export const JOBS_CONSUMER = 'jobs'

/** The kind of rows of the outbox that only signal a consumer. Stored rows have this word, so it stays. */
export const SIGNAL_KIND = 'wake'

/** What one run of a consumer is given. */
export interface ConsumerRun extends ProjectData {
  readonly projectId: string
  readonly key: string
  readonly lane: Lane
  /** Aborted when the worker stops: finish what is in flight, begin nothing. */
  readonly signal: AbortSignal
  readonly deps: AreaWorkerDeps
  readonly log: Log
}

/** A consumer at work in one process. */
export interface RunningConsumer {
  /**
   * Does the due work of a key, a limited part at a time. Signals that arrive during a run cause one more run after it.
   * Usually one run per key is active, but after a crash there may be two: rows are claimed with a lease and a fencing
   * token.
   * @returns milliseconds after which to run again (0: after other keys that wait); undefined when nothing is left
   */
  run(run: ConsumerRun): Promise<number | undefined>
  /** Called when no run is left, before the process ends. */
  close(): Promise<void>
}

/** A kind of work that is found by key. */
export interface KeyedConsumer {
  readonly name: string
  /**
   * Whether a process that relayed the work may begin a run at once, beside those that the queue gives it. Then no queue
   * keeps runs for one key apart: a run that holds work back from others has to look for more at its end.
   */
  readonly runsDirectly?: boolean
  /** Makes what it works with in this process (connections, batches over several keys); called once. */
  start(deps: AreaWorkerDeps): RunningConsumer
}

/** Declares a consumer; it becomes known by being listed in the registry of areas. */
export const defineKeyedConsumer = (consumer: KeyedConsumer): KeyedConsumer => Object.freeze(consumer)

/**
 * Finds work that is due, or whose lease has ended, and that has no signal. Every worker runs it every 5 s. It is the
 * only recovery mechanism, after crashes, restarts and a Redis that lost its data.
 */
export interface Sweep {
  readonly name: string
  /**
   * @param client logs in as guildhall_relay
   * @param limit signals at the most
   */
  find(client: PoolClient, limit: number): Promise<WorkSignal[]>
}

/** Declares a sweep; it becomes known by being listed in the registry of areas. */
export const defineSweep = (sweep: Sweep): Sweep => Object.freeze(sweep)

const insertSignal = defineQuery(
  'insert_outbox_signal',
  (v: { id: string; consumer: string; lane: string; payload: string }) =>
    query.insertInto('outbox').values({
      id: v.id,
      kind: SIGNAL_KIND,
      name: v.consumer,
      lane: v.lane,
      payload: sql`${v.payload}::json`,
    }),
)

/** Signals a consumer when the caller's transaction has committed: what it made due is begun at once, not at the next sweep. */
export function signalAfterCommit(
  ctx: Context,
  { lane, consumer, key }: Pick<WorkSignal, 'lane' | 'consumer' | 'key'>,
): void {
  ctx.tx.askLast(insertSignal({ id: newUuid(), consumer, lane, payload: JSON.stringify({ key }) }))
}
