/** Limits over two API processes that share a Redis Cluster, with a node of it lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer } from '../faults/customers.ts'
import { metricOf } from '../faults/metrics.ts'
import type { Rig } from '../faults/rig.ts'
import type { Report } from './report.ts'
import type { RedisCluster } from './servers/redis-cluster.ts'

/** Enough keys to be on all nodes. */
const KEYS = 12
const LIMIT = 60
const FIRST = 40
const CLIENTS = 32
/** Requests of one key at the same time. */
const AT_ONCE = 8
const COUNTED_IN_PROCESS = 'guildhall_limits_in_process_total'
const TOGETHER_MS = 30_000

interface Load {
  /** Answers in a second. */
  readonly rate: number
  /** Answered by an error of ours, or not at all. */
  readonly failed: number
}

/**
 * A limit is spent in part before a node is lost, and the rest of it after its replica has taken its place. Each key's
 * requests go to both processes by turns.
 */
export async function judgeLimits(
  report: Report,
  rig: Rig,
  cluster: RedisCluster,
  milliseconds: number,
): Promise<void> {
  const origins = [rig.origin, (await rig.startApi()).origin]
  const unlimited = await customers(rig, 1_000_000)
  await untilTogether(origins, unlimited)
  const calm = await load(origins, unlimited, milliseconds)

  const limited = await customers(rig, LIMIT)
  const before = await Promise.all(limited.map((customer) => spend(origins, customer, FIRST)))
  report.add('two API processes: limits are exact', unless(before, FIRST), perSecond(calm))
  // What a master has not sent to its replica yet is lost with it.
  await sleep(500)
  const [lost] = await cluster.masters('any')
  await lost?.kill('SIGKILL')
  const gap = await customers(rig, LIMIT)
  const [during, ...spent] = await Promise.all([
    load(origins, unlimited, milliseconds),
    ...gap.map((customer) => spend(origins, customer, 3 * LIMIT)),
  ])
  const most = Math.max(...spent)
  report.add(
    '  a node is lost: requests go on, a limit is kept by each process',
    [
      ...(during.failed > 0 ? [`${during.failed} requests failed`] : []),
      // Redis counts until its node is lost, then each process by itself.
      ...(most > (1 + origins.length) * LIMIT ? [`${most} of ${LIMIT} were let through`] : []),
    ],
    `${perSecond(during)}; of ${LIMIT}, ${Math.min(...spent)} to ${most} were let through`,
  )
  await cluster.untilWhole().catch(() => undefined)
  await untilTogether(origins, unlimited)
  const after = await Promise.all(limited.map((customer) => spend(origins, customer, FIRST)))
  const later = await load(origins, unlimited, milliseconds)
  report.add(
    '  its replica has taken its place: limits are exact',
    unless(after, LIMIT - FIRST),
    perSecond(later),
  )
  await lost?.restart()
  await cluster.untilWhole()
}

const customers = (rig: Rig, rateLimit: number): Promise<Customer[]> =>
  Promise.all(Array.from({ length: KEYS }, () => rig.makeCustomer({ rateLimit })))

const unless = (allowed: readonly number[], expected: number): string[] =>
  allowed.every((count) => count === expected)
    ? []
    : [`of each key ${expected} requests had to be let through, and these were: ${allowed.join(', ')}`]

const perSecond = ({ rate }: Load) => `${rate} requests/s`

async function get(origin: string | undefined, { key }: Customer): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  return fetch(`${origin}/api/v1/api-keys/self`, { headers }).then(
    (response) => response.arrayBuffer().then(() => response.status),
    () => 0,
  )
}

/** @returns how many requests were let through */
async function spend(origins: readonly string[], customer: Customer, times: number): Promise<number> {
  let [sent, allowed] = [0, 0]
  const client = async () => {
    while (sent < times) {
      const turn = sent++
      if ((await get(origins[turn % origins.length], customer)) === 200) allowed++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return allowed
}

async function load(
  origins: readonly string[],
  all: readonly Customer[],
  milliseconds: number,
): Promise<Load> {
  const end = performance.now() + milliseconds
  let [answered, failed] = [0, 0]
  const client = async (n: number) => {
    for (let turn = n; performance.now() < end; turn++) {
      const status = await get(origins[turn % origins.length], all[turn % all.length] as Customer)
      answered++
      if (status === 0 || status >= 500) failed++
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)))
  return { rate: Math.round((answered * 1_000) / milliseconds), failed }
}

/** Waits until no process counts the limits of any key by itself. */
async function untilTogether(origins: readonly string[], all: readonly Customer[]): Promise<void> {
  const counted = async () =>
    (await Promise.all(origins.map((origin) => metricOf(origin, COUNTED_IN_PROCESS)))).join()
  const deadline = Date.now() + TOGETHER_MS
  for (;;) {
    const before = await counted()
    for (const customer of all) await Promise.all(origins.map((origin) => get(origin, customer)))
    if ((await counted()) === before) return
    if (Date.now() > deadline) throw new Error('a process goes on counting limits by itself')
    await sleep(200)
  }
}
