/** Every committed event compared with everything that receivers saw. */
import { toId } from '#platform/ids.ts'
import type { Customer } from './customers.ts'
import type { Receiver } from './receivers.ts'
import type { Traffic } from './traffic.ts'

/** Whose database is asked. */
interface Asked {
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>
}

export interface Ledger {
  /** Events of the log, times receivers that have to get them. */
  readonly committed: number
  readonly delivered: number
  /** Messages that came once more than they had to, each time. */
  readonly duplicates: number
  /** Committed and never seen. */
  readonly lost: number
  /** Answered with success and not in the log. */
  readonly unlogged: number
  /** Seen and never committed. */
  readonly invented: number
  /** Milliseconds from a write's answer to the first time it was seen, 99 in 100. */
  readonly p99: number
}

/** @param receivers those that have to get everything, each as an endpoint for all members */
export async function balance(
  rig: Asked,
  { projectId }: Customer,
  receivers: readonly Receiver[],
  traffic: Traffic,
): Promise<Ledger> {
  const events = await rig.sql<{ id: string; member: string }>(
    `select id, payload ->> 'id' as member from events where project_id = $1 and type = 'member.created'`,
    [projectId],
  )
  const logged = new Map(events.map(({ id, member }) => [toId('event', id), member]))
  const answeredAt = new Map(traffic.answered.map(({ id, at }) => [id, at]))
  const sightings = receivers.flatMap((receiver) =>
    [...receiver.seen].map(([id, times]) => ({ id, times, again: Number(receiver.refused.has(id)) })),
  )
  const delivered = sightings.filter(({ id }) => logged.has(id)).length
  const members = new Set(logged.values())
  const latencies = sightings.flatMap(({ id, times }) => {
    const at = answeredAt.get(logged.get(id) ?? '')
    return at === undefined ? [] : [Math.max(0, (times[0] ?? 0) - at)]
  })
  return {
    committed: logged.size * receivers.length,
    delivered,
    duplicates: sightings.reduce((sum, { times, again }) => sum + times.length - 1 - again, 0),
    lost: logged.size * receivers.length - delivered,
    unlogged: traffic.answered.filter(({ id }) => !members.has(id)).length,
    invented: sightings.length - delivered,
    p99: percentile(latencies, 0.99),
  }
}

/** Whether nothing of a customer waits to be relayed or sent to these receivers. */
export async function isDelivered(
  rig: Asked,
  { projectId }: Customer,
  receivers: readonly Receiver[],
): Promise<boolean> {
  const [row] = await rig.sql<{ open: number }>(
    `select (select count(*) from outbox where project_id = $1)
      + (select count(*) from webhook_deliveries d join webhook_endpoints e using (project_id)
         where d.project_id = $1 and e.id = d.endpoint_id and e.url = any ($2) and d.state = 'pending') as open`,
    [projectId, receivers.map(({ url }) => url)],
  )
  return Number(row?.open) === 0
}

/** Deliveries that are leased at this moment: what may be sent twice when their holder dies. */
export async function leasedNow(rig: Asked, { projectId }: Customer): Promise<number> {
  const [row] = await rig.sql<{ leased: number }>(
    'select count(*)::int as leased from webhook_deliveries where project_id = $1 and lease_token is not null',
    [projectId],
  )
  return row?.leased ?? 0
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
