import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { collectProcessMetrics } from '../telemetry/process-metrics.ts'

/** What a worker process counts about itself, for /metrics. */
export interface WorkerMetrics {
  readonly registry: Registry
  /** Seconds that the oldest outbox row has waited for the relay. */
  readonly outboxAge: Gauge
  /** When what waits was last measured, in seconds since 1970; 0 until then. While PostgreSQL is away, the ages stay what they were. */
  readonly measuredAt: Gauge
  /** Rows per transaction of the relay; empty polls are not counted. */
  readonly relayBatch: Histogram
  /** Seconds by which the oldest due work of a lane is late. */
  readonly oldestDue: Gauge<'lane'>
  /** Runs at this moment. */
  readonly inFlight: Gauge<'lane'>
  /** Attempts at a piece of work: a job's name or `webhooks.deliver`, and how it ended. */
  readonly attempts: Counter<'work' | 'outcome'>
}

/** Makes the metrics of a worker process, in a registry of their own. */
export function makeWorkerMetrics(): WorkerMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectProcessMetrics(registry)
  return {
    registry,
    outboxAge: new Gauge({
      name: 'guildhall_outbox_age_seconds',
      help: 'Time that the oldest outbox row has waited for the relay',
      registers,
    }),
    measuredAt: new Gauge({
      name: 'guildhall_measured_timestamp_seconds',
      help: 'When the age of the outbox and of due work was last measured',
      registers,
    }),
    relayBatch: new Histogram({
      name: 'guildhall_relay_batch_rows',
      help: 'Outbox rows per transaction of the relay',
      buckets: [1, 5, 10, 50, 100, 250, 500],
      registers,
    }),
    oldestDue: new Gauge({
      name: 'guildhall_oldest_due_seconds',
      help: 'Delay of the oldest due work',
      labelNames: ['lane'] as const,
      registers,
    }),
    inFlight: new Gauge({
      name: 'guildhall_in_flight',
      help: 'Runs of consumers, jobs and schedules at this moment',
      labelNames: ['lane'] as const,
      registers,
    }),
    attempts: new Counter({
      name: 'guildhall_attempts_total',
      help: 'Attempts at pieces of work, by how they ended',
      labelNames: ['work', 'outcome'] as const,
      registers,
    }),
  }
}
