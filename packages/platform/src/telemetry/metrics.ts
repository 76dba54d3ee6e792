import { Counter, Histogram, Registry } from 'prom-client'
import { collectProcessMetrics } from './process-metrics.ts'
import { ProjectLoad } from './project-load.ts'

export interface Metrics {
  readonly registry: Registry
  /** Seconds per request, by method, route pattern and status. */
  readonly requests: Histogram<'method' | 'route' | 'status'>
  /** Requests that a limit refused, by what the limit counts. */
  readonly limitsRefused: Counter<'policy'>
  /** Which projects this process works for. */
  readonly projectLoad: ProjectLoad
  /** Limits that this process has counted itself, because Redis did not. */
  readonly limitsInProcess: Counter
}

/** The metrics of a process, for /metrics. */
export function makeMetrics(): Metrics {
  const registry = new Registry()
  collectProcessMetrics(registry)
  const requests = new Histogram({
    name: 'guildhall_http_request_duration_seconds',
    help: 'Time from the request to the end of its response',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const limitsInProcess = new Counter({
    name: 'guildhall_limits_in_process_total',
    help: 'Counts of limits that Redis refused or missed, and that this process has kept by itself',
    registers: [registry],
  })
  const limitsRefused = new Counter({
    name: 'guildhall_limits_refused_total',
    help: 'Requests that were answered 429, by what the limit counts',
    labelNames: ['policy'] as const,
    registers: [registry],
  })
  const projectLoad = new ProjectLoad()
  projectLoad.collect(registry)
  return { registry, requests, limitsRefused, projectLoad, limitsInProcess }
}
