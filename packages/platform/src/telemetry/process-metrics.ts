import { monitorEventLoopDelay } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client'
import { VERSION } from '../version.ts'

/** The monitor wakes the process so often while it measures, in milliseconds. */
const RESOLUTION_MS = 10
/** The monitor stops after this time without a question. Prometheus asks more often. */
const REST_MS = 120_000
/** The longest timer of Node. */
const NEVER_MS = 2 ** 31 - 1
const SECOND = 1e9

type Delays = ReturnType<typeof monitorEventLoopDelay>

/** What is read of the event loop's delays since the last time, by the end of the metric's name. */
const DELAYS: Readonly<Record<string, (delays: Delays) => number>> = {
  min: (delays) => delays.min,
  max: (delays) => delays.max,
  mean: (delays) => delays.mean,
  stddev: (delays) => delays.stddev,
  p50: (delays) => delays.percentile(50),
  p90: (delays) => delays.percentile(90),
  p99: (delays) => delays.percentile(99),
}

/**
 * Metrics of this process for Prometheus. The monitor of event loop delays of prom-client wakes an idle process a hundred
 * times a second. Here it begins when somebody first asks, and stops when nobody has asked for two minutes.
 */
export function collectProcessMetrics(registry: Registry): void {
  new Gauge({
    name: 'guildhall_info',
    help: 'The version that runs; the value is always 1',
    labelNames: ['version'] as const,
    registers: [registry],
  }).set({ version: VERSION }, 1)
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS })
  const monitor = new RestingMonitor()
  const collect = () =>
    monitor.read((delays) => {
      for (const { gauge, read } of gauges) gauge.set(read(delays) / SECOND)
    })
  const gauges = Object.entries(DELAYS).map(([end, read], at) => {
    const name = `nodejs_eventloop_lag_${end}_seconds`
    const help = `The ${end} of the delays of the event loop since it was last asked for`
    registry.removeSingleMetric(name)
    // Gauges are collected in their order, so that the first one can read for all of them.
    return { read, gauge: new Gauge({ name, help, registers: [registry], ...(at === 0 && { collect }) }) }
  })
}

/** Measures delays while somebody asks for them. */
class RestingMonitor {
  readonly #delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  #rest: NodeJS.Timeout | undefined

  /** Calls with the delays since the last time, if there are any; from now on it measures. */
  read(use: (delays: Delays) => void): void {
    this.#delays.enable()
    if (this.#delays.count > 0) use(this.#delays)
    this.#delays.reset()
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => this.#delays.disable(), REST_MS).unref()
  }
}
