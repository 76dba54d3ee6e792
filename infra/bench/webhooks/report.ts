/** The table of what was measured, with the goals beside it. */
import { median, printTable } from '../table.ts'
import type { EmitCosts } from './emit-cost.ts'
import type { Latency } from './latency.ts'
import type { Throughput } from './throughput.ts'

/** Where signals travel, and what was measured there. */
export interface Backend {
  readonly name: string
  /** Undefined for PostgreSQL. */
  readonly redisUrl: string | undefined
  readonly throughputs: Throughput[]
  idle?: Latency
  half?: Latency
  /** MiB of a worker that has nothing left to do. */
  atRest?: number
  /** MiB at the most of a worker with all that is due. */
  memory?: number
}

export interface Results {
  /** Empty where there is no Redis. */
  readonly ceilings: readonly Throughput[]
  readonly backends: readonly Backend[]
  readonly costs: EmitCosts
  /** Deliveries due when memory was measured. */
  readonly due: number
}

type Row = string[]

const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

export const rateOf = (throughputs: readonly Throughput[]): number =>
  median(throughputs.map(({ perSecond }) => perSecond))

export function printReport(title: string, results: Results): void {
  printTable(
    title,
    ['', 'measured', 'ratio', 'goal', ''],
    [
      ...throughputRows(results),
      ...results.backends.flatMap(latencyRows),
      ...costRows(results.costs),
      ...results.backends.map((backend) => memoryRow(backend, results.due)),
    ],
  )
}

/** Ratios are made round by round, so that what else the machine does meets both sides of each. */
function throughputRows({ ceilings, backends }: Results): Row[] {
  const redis = backends.find(({ redisUrl }) => redisUrl)?.throughputs
  const ratio = (some: readonly Throughput[], others: readonly Throughput[]) =>
    median(some.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)))
  const rows: Row[] = []
  if (redis) rows.push(['BullMQ alone on Redis, POSTs/s: the ceiling', rateOf(ceilings).toFixed(0), '1.00'])
  for (const { name, redisUrl, throughputs } of backends) {
    const row = [`deliveries/s end to end, ${name}`, rateOf(throughputs).toFixed(0)]
    const ofCeiling = ratio(throughputs, ceilings)
    if (redis) row.push(ofCeiling.toFixed(2), '≥ 0.75', verdict(ofCeiling >= 0.75))
    const committing = median(throughputs.map((each) => each.committing))
    rows.push(row, ['  seconds of it until all was committed', committing.toFixed(2)])
    if (!redis || redisUrl) continue
    const ofRedis = ratio(throughputs, redis)
    const near = ofRedis >= 0.7 && ofRedis <= 1.3
    rows.push(['  of that on Redis', '', ofRedis.toFixed(2), '0.70–1.30', verdict(near)])
  }
  return rows
}

function latencyRows({ name, idle, half }: Backend): Row[] {
  if (!idle || !half) return []
  return [
    [`commit to receipt idle, ${name}, p50 ms`, idle.p50.toFixed(1), '', '≤ 10', verdict(idle.p50 <= 10)],
    [
      `  at half the maximum (${half.perSecond.toFixed(0)}/s), p99 ms`,
      half.p99.toFixed(0),
      '',
      '≤ 80',
      verdict(half.p99 <= 80),
    ],
    ['  the same, p50 ms', half.p50.toFixed(0)],
  ]
}

function costRows({ http, writes }: EmitCosts): Row[] {
  const kept = ({ cost }: EmitCosts['http']) => (1 - cost).toFixed(2)
  return [
    ['POSTs/s that write a member without an event', http.without.toFixed(0), '1.00'],
    ['  with one', http.withEvent.toFixed(0), kept(http), '≥ 0.75', verdict(http.cost <= 0.25)],
    ['  the writes alone, without HTTP, without an event', writes.without.toFixed(0), '1.00'],
    ['  with one', writes.withEvent.toFixed(0), kept(writes)],
  ]
}

function memoryRow({ name, atRest = Number.NaN, memory = Number.NaN }: Backend, due: number): Row {
  const what = `MiB of a worker at ${due.toLocaleString('en')} due (${atRest.toFixed(0)} before), ${name}`
  return [what, memory.toFixed(0), '', '< 300', verdict(memory < 300)]
}
