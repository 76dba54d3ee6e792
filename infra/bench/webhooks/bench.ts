/** `npm run bench -- webhooks`: from a committed event to its receipt, against BullMQ alone in the same run. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Rig } from '../rig.ts'
import { type BenchOptions, onStage, peakOf, type Stage, say } from '../stage.ts'
import { judged, median, printJudged } from '../table.ts'
import { type Customers, ENDPOINTS, makeCustomers, startWorker } from './customers.ts'
import { loadDue } from './due.ts'
import { type Latency, latencyOf } from './latency.ts'
import { type ReceiverProcess, startReceiverProcess } from './receiver-process.ts'
import { ceilingOf, throughputOf } from './throughput.ts'

const FULL = { rounds: 3, events: 20_000, latencySeconds: 8, due: 1_000_000, memorySeconds: 15 }
const QUICK = { rounds: 1, events: 5_000, latencySeconds: 3, due: 200_000, memorySeconds: 5 }
type Plan = typeof FULL
/** Messages per second of what counts as idle. */
const IDLE_RATE = 10

/** Where signals travel, and what was measured there. */
interface Backend {
  readonly name: string
  /** Undefined for PostgreSQL. */
  readonly redisUrl: string | undefined
  /** Deliveries a second, by round. */
  readonly rates: number[]
  idle?: Latency
  half?: Latency
  /** MiB at the most of a worker with all that is due. */
  memory?: number
}

interface Parts {
  readonly rig: Rig
  readonly receiver: ReceiverProcess
  readonly customers: Customers
  readonly plan: Plan
}

/** Runs the bench and prints its table. */
export const benchWebhooks = (rig: Rig, { quick }: BenchOptions): Promise<void> =>
  onStage(rig, async (stage) => {
    const receiver = await startReceiverProcess(rig)
    const customers = await makeCustomers(rig, receiver.url)
    try {
      await run(stage, { rig, receiver, customers, plan: quick ? QUICK : FULL })
    } finally {
      await customers.close()
    }
  })

async function run({ owner }: Stage, parts: Parts): Promise<void> {
  const { rig, receiver, customers, plan } = parts
  const redisUrl = await rig.openDurableRedis()
  const backends: Backend[] = [
    ...(redisUrl ? [{ name: 'Redis', redisUrl, rates: [] }] : []),
    { name: 'PostgreSQL', redisUrl: undefined, rates: [] },
  ]
  if (!redisUrl) say('There is no redis-server: neither the ceiling nor the Redis backend is measured.')
  const ceilings: number[] = []
  for (let round = 0; round < plan.rounds; round++) {
    if (redisUrl) {
      say('BullMQ alone …')
      ceilings.push(await ceilingOf(rig, redisUrl, receiver, plan.events))
    }
    for (const backend of backends) await measure(parts, backend, round === plan.rounds - 1)
  }
  say(`${plan.due.toLocaleString('en')} due deliveries …`)
  await loadDue(owner, customers, plan.due)
  for (const backend of backends) {
    const worker = await startWorker(rig, backend.redisUrl)
    backend.memory = await peakOf(worker, () => sleep(plan.memorySeconds * 1_000))
    await worker.stop()
  }
  printJudged(
    `${plan.events.toLocaleString('en')} events to ${ENDPOINTS} endpoints, one worker; median of rounds: ${plan.rounds}`,
    [
      ...(redisUrl ? [judged('BullMQ alone on Redis, POSTs a second: the ceiling', median(ceilings))] : []),
      ...backends.flatMap((backend) => rowsOf(backend, ceilings, plan)),
    ],
  )
}

/** One round of a backend, in a worker of its own; the last round finds out the latencies too. */
async function measure(
  { rig, receiver, customers, plan }: Parts,
  backend: Backend,
  last: boolean,
): Promise<void> {
  say(`end to end, ${backend.name} …`)
  const worker = await startWorker(rig, backend.redisUrl)
  backend.rates.push(await throughputOf(customers, receiver, plan.events))
  if (last) {
    say(`from commit to receipt, ${backend.name} …`)
    backend.idle = await latencyOf(customers, receiver, IDLE_RATE, plan.latencySeconds)
    backend.half = await latencyOf(customers, receiver, median(backend.rates) / 2, plan.latencySeconds)
  }
  await worker.stop()
}

/** Ratios are made round by round, so that what else the machine does meets both sides of each. */
function rowsOf(
  { name, rates, idle, half, memory }: Backend,
  ceilings: readonly number[],
  { due }: Plan,
): string[][] {
  const ofCeiling = median(rates.map((rate, round) => rate / (ceilings[round] ?? Number.NaN)))
  const ms = { unit: 'ms', digits: 1 }
  return [
    judged(`${name}: deliveries a second, end to end`, median(rates)),
    ...(ceilings.length > 0 ? [judged('  of the ceiling', ofCeiling, { digits: 2, atLeast: 0.75 })] : []),
    judged('  commit to receipt idle, p50', idle?.p50 ?? Number.NaN, { ...ms, atMost: 10 }),
    judged(`  at half the maximum, p99`, half?.p99 ?? Number.NaN, { ...ms, atMost: 80 }),
    judged(`  memory of a worker at ${due.toLocaleString('en')} due`, memory ?? Number.NaN, {
      unit: 'MiB',
      atMost: 300,
    }),
  ]
}
