/** One fault under traffic, from the first write to the ledger. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Customer } from './customers.ts'
import { balance, isDelivered, type Ledger, leasedNow } from './ledger.ts'
import { type Manner, openReceiver, type Receiver } from './receivers.ts'
import type { Rig } from './rig.ts'
import { peakMemory } from './servers.ts'
import { startTraffic, type Traffic } from './traffic.ts'

/** How long and how hard. */
export interface Pace {
  /** Writes per second. */
  readonly rate: number
  /** Milliseconds of traffic before the fault and after its end. */
  readonly before: number
  readonly after: number
  /** Milliseconds from the end of the fault within which everything must have arrived. */
  readonly recovery: number
  /** Milliseconds for which what is gone stays gone. */
  readonly outage: number
}

export interface Fault {
  readonly name: string
  /** Those that must get everything. */
  readonly receivers?: readonly Manner[]
  /** Those that get messages too, and of whom nothing is expected. */
  readonly beside?: readonly Manner[]
  /** What must be there before the traffic begins. */
  prepare?(rig: Rig): Promise<unknown>
  /** The fault, from its begin to its end. */
  inject(rig: Rig, pace: Pace): Promise<unknown>
  /** Puts things back for the next one. */
  mend?(rig: Rig): Promise<unknown>
}

export interface Outcome extends Ledger {
  readonly fault: string
  readonly backend: string
  /** Writes that were answered by an error, or not at all. */
  readonly failed: number
  /** How many messages may have come twice: those in flight when the fault came. */
  readonly inFlight: number
  /** Seconds from the end of the fault until nothing was left to do; undefined where that did not happen in time. */
  readonly recovered: number | undefined
  /** Messages whose time receivers would refuse. */
  readonly untimely: number
  /** Megabytes that a worker has used at the most. */
  readonly memory: number
}

/** Lets a fault happen, and counts. */
export async function play(rig: Rig, fault: Fault, pace: Pace): Promise<Outcome> {
  const customer = await rig.makeCustomer()
  const wanted = await Promise.all((fault.receivers ?? ['healthy', 'healthy', 'healthy']).map(openReceiver))
  const beside = await Promise.all((fault.beside ?? []).map(openReceiver))
  let traffic: Traffic | undefined
  try {
    for (const receiver of [...wanted, ...beside]) await register(rig, customer, receiver)
    await fault.prepare?.(rig)
    traffic = startTraffic(rig.origin, customer.key, pace.rate)
    await sleep(pace.before)
    await fault.inject(rig, pace)
    const endedAt = Date.now()
    const inFlight = await leasedNow(rig, customer)
    await sleep(pace.after)
    await traffic.stop()
    const recovered = await waitForDelivery(rig, customer, wanted, endedAt, pace.recovery)
    const ledger = await balance(rig, customer, wanted, traffic)
    const memory = Math.max(...(await Promise.all(rig.workers.map(({ pid }) => peakMemory(pid)))))
    const untimely = [...wanted, ...beside].reduce((sum, receiver) => sum + receiver.untimely.length, 0)
    return {
      fault: fault.name,
      backend: rig.backend,
      ...ledger,
      failed: traffic.failed,
      inFlight,
      recovered,
      untimely,
      memory,
    }
  } finally {
    await traffic?.stop()
    await rig.sql('delete from webhook_endpoints where project_id = $1', [customer.projectId]).catch(() => [])
    await Promise.all([...wanted, ...beside].map((receiver) => receiver.close()))
    await fault.mend?.(rig)
  }
}

/** Makes a receiver an endpoint of a customer, for new members. */
export async function register(
  rig: Pick<Rig, 'origin'>,
  { key }: Customer,
  { url }: Receiver,
): Promise<void> {
  const response = await fetch(`${rig.origin}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['member.created'] }),
  })
  if (response.status !== 201) throw new Error(`an endpoint was refused: ${await response.text()}`)
}

/** Waits until nothing is left to do. @returns seconds since `from` */
export async function waitForDelivery(
  rig: Pick<Rig, 'sql'>,
  customer: Customer,
  receivers: readonly Receiver[],
  from: number,
  limit: number,
): Promise<number | undefined> {
  while (!(await isDelivered(rig, customer, receivers).catch(() => false))) {
    if (Date.now() - from > limit) return undefined
    await sleep(50)
  }
  return Math.round((Date.now() - from) / 100) / 10
}
