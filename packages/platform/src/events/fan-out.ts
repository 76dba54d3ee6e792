import type { PoolClient } from 'pg'
import type { WorkSignal } from '../jobs/queues/work-signal.ts'

/** An event on its way from the outbox; its payload and time are in its row of `events`. */
export interface RelayedEvent {
  readonly projectId: string
  readonly id: string
  readonly type: string
  /** W3C trace context of the request that emitted it. */
  readonly traceparent: string | null
}

/**
 * CopyScheduler events into whatever has to be done about them, in the transaction that takes them out of the outbox: set-based
 * SQL over the whole batch, `on conflict do nothing`. Called by several relays at a time, never twice for one event
 * that was committed.
 * @param client inside the relay's transaction, as guildhall_relay: all projects, so every join carries project_id
 * @param events at most 500, of any projects
 * @returns whom to wake after the commit
 */
export type FanOut = (client: PoolClient, events: readonly RelayedEvent[]) => Promise<WorkSignal[]>
