import { Counter, Gauge, Histogram } from 'prom-client'
import type { WorkerMetrics } from '#platform/jobs/worker-metrics.ts'

/** What sending counts about itself. */
export interface DeliveryMetrics {
  readonly attempts: Counter<'outcome'>
  readonly inFlight: Gauge<'lane'>
  readonly duration: Histogram
  /** Seconds from the event to the answer of a first attempt that succeeded. */
  readonly latency: Histogram
}

/** Registers the metrics of sending with those of the worker. */
export function makeDeliveryMetrics({ registry }: WorkerMetrics): DeliveryMetrics {
  const registers = [registry]
  return {
    attempts: new Counter({
      name: 'guildhall_webhook_attempts_total',
      help: 'Attempts at deliveries by outcome: delivered, pending (to be tried again), failed, lease_lost',
      labelNames: ['outcome'] as const,
      registers,
    }),
    inFlight: new Gauge({
      name: 'guildhall_webhook_sends_in_flight',
      help: 'Sends that wait for their answer at this moment',
      labelNames: ['lane'] as const,
      registers,
    }),
    duration: new Histogram({
      name: 'guildhall_webhook_attempt_seconds',
      help: 'Time from the start of a send to the end of its answer',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    }),
    latency: new Histogram({
      name: 'guildhall_webhook_latency_seconds',
      help: 'Time from the event to the answer of a first attempt that succeeded',
      buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
      registers,
    }),
  }
}
