/** `npm run bench -- webhooks`: from a committed event to its receipt, against BullMQ alone in the same run. */
import pg from 'pg'
import { migrate } from '#platform/migrate/migrate.ts'
import { residentMiB } from '../http/questions.ts'
import type { Rig } from '../rig.ts'
import { type Customers, ENDPOINTS, makeCustomers, startWorker } from './customers.ts'
import { emitCosts } from './emit-cost.ts'
import { latencyOf } from './latency.ts'
import { countDue, loadDue, peakMiB } from './memory.ts'
import { type ReceiverProcess, startReceiverProcess } from './receiver-process.ts'
import { type Backend, printReport, rateOf } from './report.ts'
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

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Runs the bench and prints its table. */
export async function benchWebhooks(rig: Rig, { quick }: { quick: boolean }): Promise<void> {
  const plan = quick ? QUICK : FULL
  await migrate({ databaseUrl: rig.postgres.url, secretKey: rig.secretKey })
  const owner = new pg.Client({ connectionString: rig.postgres.url })
  await owner.connect()
  const receiver = await startReceiverProcess(rig)
  const customers = await makeCustomers(rig, receiver.url)
  try {
    await run({ rig, owner, receiver, customers, plan, redisUrl: await rig.openDurableRedis() })
  } finally {
    await customers.close()
    await owner.end()
  }
}

interface Stage {
  readonly rig: Rig
  readonly owner: pg.Client
  readonly receiver: ReceiverProcess
  readonly customers: Customers
  readonly plan: Plan
  readonly redisUrl: string | undefined
}

async function run(stage: Stage): Promise<void> {
  const { rig, owner, receiver, customers, plan, redisUrl } = stage
  const backends: Backend[] = [
    ...(redisUrl ? [{ name: 'Redis', redisUrl, throughputs: [] }] : []),
    { name: 'PostgreSQL', redisUrl: undefined, throughputs: [] },
  ]
  if (!redisUrl) say('There is no redis-server: neither the ceiling nor the Redis backend is measured.')

  say('writes with and without an event …')
  const costs = await emitCosts(rig, customers, plan.writeRounds, plan.writeSeconds)
  await owner.query('truncate outbox')

  const ceilings: Throughput[] = []
  for (let round = 0; round < plan.rounds; round++) {
    if (redisUrl) {
      say('BullMQ alone …')
      ceilings.push(await ceilingOf(rig, redisUrl, receiver, plan.events))
    }
    for (const backend of backends) await measure(stage, backend, round === plan.rounds - 1)
  }
  say(`${plan.due.toLocaleString('en')} due deliveries …`)
  await loadDue(owner, customers, plan.due)
  for (const backend of backends) {
    const worker = await startWorker(rig, backend.redisUrl)
    backend.memory = await peakMiB(worker, plan.memorySeconds)
    await worker.stop()
  }
  const left = await countDue(owner)
  printReport(
    `${plan.events.toLocaleString('en')} events to ${ENDPOINTS} endpoints, one worker; median of rounds: ${plan.rounds}; still due at the end: ${left.toLocaleString('en')}`,
    { ceilings, backends, costs, due: plan.due },
  )
}

/** One round of a backend, in a worker of its own; the last round finds out the latencies too. */
async function measure(stage: Stage, backend: Backend, last: boolean): Promise<void> {
  const { rig, receiver, customers, plan } = stage
  say(`end to end, ${backend.name} …`)
  const worker = await startWorker(rig, backend.redisUrl)
  backend.throughputs.push(await throughputOf(customers, receiver, plan.events))
  if (last) {
    say(`from commit to receipt, ${backend.name} …`)
    backend.idle = await latencyOf(customers, receiver, IDLE_RATE, plan.latencySeconds)
    backend.half = await latencyOf(customers, receiver, rateOf(backend.throughputs) / 2, plan.latencySeconds)
    backend.atRest = await residentMiB(worker)
  }
  await worker.stop()
}
