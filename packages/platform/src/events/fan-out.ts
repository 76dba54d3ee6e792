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
 * Turns events into the work that they cause, in the transaction that takes them out of the outbox. It is set-based SQL
 * over the whole batch, with `on conflict do nothing`. Several relays may call it at the same time. It is never called
 * twice for an event whose transaction was committed.
 * @param client inside the relay's transaction, as guildhall_relay: it sees all projects, so every join carries
 *   project_id
 * @param events at most 500, of any projects
 * @returns the consumers to wake after the commit
 */
export type FanOut = (client: PoolClient, events: readonly RelayedEvent[]) => Promise<WorkSignal[]>
