/** `npm run bench -- webhooks`: from a committed event to its receipt, against BullMQ alone in the same run. */
import pg from 'pg'
import { migrate } from '#platform/db/migrate.ts'
import type { Rig } from '../rig.ts'
import { median, printTable } from '../table.ts'
import { type Door, ENDPOINTS, makeCustomers, startWorker } from './customers.ts'
import { type EmitCost, emitCost } from './emit-cost.ts'
import { type Latency, latencyOf } from './latency.ts'
import { countDue, loadDue, peakMiB } from './memory.ts'
import { openReception, type Reception } from './reception.ts'
import { ceilingOf, type Throughput, throughputOf } from './throughput.ts'

interface Plan {
  readonly rounds: number
  readonly events: number
  readonly latencySeconds: number
  readonly writeRounds: number
  readonly writeSeconds: number
  readonly due: number
  readonly memorySeconds: number
}
const FULL: Plan = {
  rounds: 3,
  events: 20_000,
  latencySeconds: 8,
  writeRounds: 5,
  writeSeconds: 1,
  due: 1_000_000,
  memorySeconds: 15,
}
const QUICK: Plan = {
  rounds: 1,
  events: 5_000,
  latencySeconds: 3,
  writeRounds: 3,
  writeSeconds: 0.5,
  due: 200_000,
  memorySeconds: 5,
}
/** Messages per second of what counts as idle. */
const IDLE_RATE = 10

/** Where wakes travel, and what was measured there. */
interface Backend {
  readonly name: string
  /** Undefined for PostgreSQL. */
  readonly redisUrl: string | undefined
  readonly throughputs: Throughput[]
  idle?: Latency
  half?: Latency
  memory?: number
}

const say = (text: string) => process.stderr.write(`${text}\n`)
const verdict = (reached: boolean) => (reached ? 'reached' : 'MISSED')

/** Runs the bench and prints its table. */
export async function benchWebhooks(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const plan = quick ? QUICK : FULL
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const reception = await openReception(rig)
  const door = await makeCustomers(rig, reception.url)
  try {
    await run({ rig, owner, reception, door, plan, redisUrl: await rig.openDurableRedis() })
  } finally {
    await door.close()
    await owner.end()
  }
}

interface Stage {
  readonly rig: Rig
  readonly owner: pg.Client
  readonly reception: Reception
  readonly door: Door
  readonly plan: Plan
  readonly redisUrl: string | undefined
}

async function run(stage: Stage): Promise<void> {
  const { rig, owner, reception, door, plan, redisUrl } = stage
  const backends: Backend[] = [
    ...(redisUrl ? [{ name: 'Redis', redisUrl, throughputs: [] }] : []),
    { name: 'PostgreSQL', redisUrl: undefined, throughputs: [] },
  ]
  if (!redisUrl) say('There is no redis-server: neither the ceiling nor the Redis backend is measured.')

  say('writes with and without an event …')
  const cost = await emitCost(door, plan.writeRounds, plan.writeSeconds)
  await owner.query('truncate outbox')

  const ceilings: Throughput[] = []
  for (let round = 0; round < plan.rounds; round++) {
    if (redisUrl) {
      say('BullMQ alone …')
      ceilings.push(await ceilingOf(rig, redisUrl, reception, plan.events))
    }
    for (const backend of backends) await measure(stage, backend, round === plan.rounds - 1)
  }
  say(`${plan.due.toLocaleString('en')} due deliveries …`)
  await loadDue(owner, door, plan.due)
  for (const backend of backends) {
    const worker = await startWorker(rig, backend.redisUrl)
    backend.memory = await peakMiB(worker, plan.memorySeconds)
    await worker.stop()
  }
  print(plan, { ceilings, backends, cost, left: await countDue(owner) })
}

/** One round of a backend, in a worker of its own; the last round finds out the latencies too. */
async function measure(stage: Stage, backend: Backend, last: boolean): Promise<void> {
  const { rig, reception, door, plan } = stage
  say(`end to end, ${backend.name} …`)
  const worker = await startWorker(rig, backend.redisUrl)
  backend.throughputs.push(await throughputOf(door, reception, plan.events))
  if (last) {
    say(`from commit to receipt, ${backend.name} …`)
    backend.idle = await latencyOf(door, reception, IDLE_RATE, plan.latencySeconds)
    backend.half = await latencyOf(door, reception, rateOf(backend.throughputs) / 2, plan.latencySeconds)
  }
  await worker.stop()
}

const rateOf = (throughputs: readonly Throughput[]) => median(throughputs.map(({ perSecond }) => perSecond))

interface Results {
  readonly ceilings: readonly Throughput[]
  readonly backends: readonly Backend[]
  readonly cost: EmitCost
  /** Deliveries still due when memory had been measured. */
  readonly left: number
}

function print(plan: Plan, { ceilings, backends, cost, left }: Results): void {
  const ceiling = rateOf(ceilings)
  const redis = backends.find(({ redisUrl }) => redisUrl)
  const rows: string[][] = []
  if (ceilings.length > 0)
    rows.push(['BullMQ alone on Redis, POSTs/s: the ceiling', ceiling.toFixed(0), '1.00'])
  for (const { name, redisUrl, throughputs } of backends) {
    const rate = rateOf(throughputs)
    const ratio = median(
      throughputs.map((each, n) => each.perSecond / (ceilings[n]?.perSecond ?? Number.NaN)),
    )
    const goal = redisUrl ? ['≥ 0.35', verdict(ratio >= 0.35)] : []
    rows.push([
      `deliveries/s end to end, ${name}`,
      rate.toFixed(0),
      ceilings.length ? ratio.toFixed(2) : '',
      ...goal,
    ])
    rows.push([
      '  of its seconds, until all was committed',
      median(throughputs.map(({ committing }) => committing)).toFixed(2),
    ])
    if (redis && !redisUrl) {
      const part = rate / rateOf(redis.throughputs)
      rows.push(['  of that on Redis', '', part.toFixed(2), '0.70–1.30', verdict(part >= 0.7 && part <= 1.3)])
    }
  }
  for (const { name, idle, half } of backends) {
    if (!idle || !half) continue
    rows.push([
      `commit to receipt idle, ${name}, p50 ms`,
      idle.p50.toFixed(0),
      '',
      '< 100',
      verdict(idle.p50 < 100),
    ])
    rows.push(
      [
        `  at half the maximum (${half.perSecond.toFixed(0)}/s), p99 ms`,
        half.p99.toFixed(0),
        '',
        '< 300',
        verdict(half.p99 < 300),
      ],
      ['  the same, p50 ms', half.p50.toFixed(0)],
    )
  }
  rows.push(
    ['writes/s without an event', cost.without.toFixed(0), '1.00'],
    [
      'writes/s with an event',
      cost.withEvent.toFixed(0),
      (1 - cost.cost).toFixed(2),
      '≥ 0.75',
      verdict(cost.cost <= 0.25),
    ],
    [
      'writes/s without, in one round trip',
      cost.oneRoundTrip.toFixed(0),
      (cost.oneRoundTrip / cost.without).toFixed(2),
    ],
  )
  for (const { name, memory = Number.NaN } of backends)
    rows.push([
      `MiB of a worker at ${plan.due.toLocaleString('en')} due, ${name}`,
      memory.toFixed(0),
      '',
      '< 300',
      verdict(memory < 300),
    ])
  printTable(
    `${plan.events.toLocaleString('en')} events to ${ENDPOINTS} endpoints, medians of ${plan.rounds} rounds, one worker; ${left.toLocaleString('en')} were still due at the end`,
    ['', 'measured', 'ratio', 'goal', ''],
    rows,
  )
}
