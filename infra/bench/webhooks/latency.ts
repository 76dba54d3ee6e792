/** How long a message takes from its commit to its receipt, at a rate that is kept whatever happens. */
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../table.ts'
import { type Customers, commit, ENDPOINTS } from './customers.ts'
import { now, type ReceiverProcess } from './receiver-process.ts'

/** Milliseconds. */
export interface Latency {
  readonly p50: number
  readonly p99: number
}

const TICK_MS = 10
/** Seconds that the last may take. */
const PATIENCE = 30

/** @param perSecond of messages; up to one per tick each has a transaction of its own */
export async function latencyOf(
  customers: Customers,
  receiver: ReceiverProcess,
  perSecond: number,
  seconds: number,
): Promise<Latency> {
  await receiver.clear()
  const committed = new Map<number, number>()
  const open: Promise<void>[] = []
  const begun = now()
  let made = 0
  for (let tick = 0; now() - begun < seconds * 1_000; tick++) {
    const due = Math.ceil(((now() - begun) / 1_000) * perSecond)
    const numbers = Array.from({ length: due - made }, (_, n) => made + n)
    made = due
    if (numbers.length > 0)
      open.push(
        commit(customers, customers.projects[tick % ENDPOINTS] ?? '', numbers).then(() => {
          const at = now()
          for (const number of numbers) committed.set(number, at)
        }),
      )
    await sleep(TICK_MS)
  }
  await Promise.all(open)
  await receiver.waitFor(made, PATIENCE)
  const received = await receiver.times()
  const times = [...committed].map(([number, at]) => (received.get(number) ?? Number.NaN) - at)
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}
