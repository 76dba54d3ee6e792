import type { Pool } from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Log } from '../../telemetry/log.ts'
import type { Measure } from '../define-measure.ts'

/** Milliseconds between two measurements. */
const EVERY_MS = 30_000

/** Counts what areas and the platform measure, and keeps the numbers for /metrics. */
export class Measurements {
  readonly #gauges: readonly { readonly measure: Measure; readonly gauge: Gauge }[]
  readonly #log: Log
  #next = 0

  constructor(registry: Registry, measures: readonly Measure[], log: Log) {
    this.#log = log
    this.#gauges = measures.map((measure) => ({
      measure,
      gauge: new Gauge({
        name: measure.name,
        help: measure.help,
        labelNames: Object.keys(measure.labels),
        registers: [registry],
      }),
    }))
  }

  /**
   * Measures again if the last time was half a minute ago. What cannot be counted has no value until it can: work never waits for
   * that.
   * @param pool logs in as guildhall_relay
   */
  async measure(pool: Pick<Pool, 'query'>): Promise<void> {
    if (performance.now() < this.#next) return
    this.#next = performance.now() + EVERY_MS
    for (const { measure, gauge } of this.#gauges) {
      try {
        const { rows } = await pool.query<{ count: number } & Record<string, string>>(measure.sql)
        gauge.reset()
        for (const labels of combinationsOf(measure.labels)) gauge.set(labels, 0)
        for (const { count, ...labels } of rows) gauge.set(labels, count)
      } catch (error) {
        gauge.reset()
        this.#log.warn({ err: error, measure: measure.name }, 'a metric could not be counted')
      }
    }
  }
}

function combinationsOf(labels: Measure['labels']): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [label, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  )
}
