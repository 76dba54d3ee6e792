import { sql } from 'kysely'
import { matchesSql } from '#areas/events/service.ts'
import { defineQuery } from '#platform/db/query.ts'
import { IS_HELD, isResting } from '#platform/db/resting.ts'
import { query } from '#platform/db/statement.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { deliveryId } from '../ids.ts'

const findDelivery = defineQuery('why_delivery', (v: { id: string }) =>
  query
    .selectFrom('webhook_deliveries as d')
    .leftJoin('webhook_endpoints as e', 'e.id', 'd.endpoint_id')
    .select([
      'd.state',
      'd.attempts',
      'd.due_at',
      'd.last_status',
      'd.last_error',
      'd.finished_at',
      'd.event_type',
    ])
    .select([
      'e.url',
      'e.enabled',
      'e.disabled_at',
      'e.disabled_reason',
      'e.fifo',
      'e.blocked_until',
      'e.failing_since',
    ])
    .select([
      sql<boolean>`d.lease_until > now()`.as('is_sending'),
      sql<boolean>`d.due_at <= now()`.as('is_due'),
      sql<boolean>`e.blocked_until > now()`.as('is_blocked'),
      sql<boolean>`${sql.raw(IS_HELD)}`.as('is_held'),
      sql<boolean>`${sql.raw(isResting('d.project_id'))}`.as('rests'),
    ])
    .where('d.id', '=', v.id),
).first()

const DISABLED = {
  requested: 'somebody switched it off by the API',
  gone: 'it answered 410 Gone',
  failing: 'no attempt succeeded for too long',
}

/** Why a delivery has come as far as it has, in sentences; undefined where the project has no such delivery. */
export async function whyDelivery(data: ProjectData, id: string): Promise<string[] | undefined> {
  const { found } = await data.read({ found: findDelivery({ id }) })
  if (found === undefined) return undefined
  const { state, attempts, url, last_status, last_error } = found
  const last = last_error ?? (last_status === null ? 'no answer' : `status ${last_status}`)
  const why = [
    `${found.event_type} to ${url ?? 'an endpoint that was deleted'}: ${state}, attempts: ${attempts}`,
  ]
  if (attempts > 0) why.push(`The last attempt ended with ${last}`)
  if (state === 'delivered') return [...why, `It was delivered at ${found.finished_at}`]
  if (url === null) return [...why, 'Its endpoint was deleted: nothing is sent any more']
  if (state === 'failed')
    return [
      ...why,
      `It was given up at ${found.finished_at}. POST /webhooks/deliveries/{id}/retry sends it again`,
    ]
  if (!found.enabled)
    why.push(
      `Its endpoint is disabled since ${found.disabled_at}: ${DISABLED[found.disabled_reason as keyof typeof DISABLED]}. PATCH /webhooks/{id} with enabled: true sends it`,
    )
  else if (found.is_held)
    why.push(
      'It waits because this installation does no work of its own: `guildhall sending status` says since when',
    )
  else if (found.rests) why.push('It waits because its project is suspended or deleted')
  else if (found.is_sending) why.push('A worker is sending it now')
  else if (found.fifo && found.is_blocked)
    why.push(`Its endpoint is in fifo mode, and the delivery before it waits until ${found.blocked_until}`)
  else if (found.is_due)
    why.push(
      'It is due and no worker has taken it: look whether workers run, and at the rate limit of its endpoint',
    )
  else why.push(`Its next attempt is at ${found.due_at}`)
  if (found.failing_since !== null)
    why.push(`No attempt at this endpoint has succeeded since ${found.failing_since}`)
  return why
}

const findEvent = defineQuery('why_event', (v: { id: string }) =>
  query.selectFrom('events as e').select(['e.type', 'e.occurred_at']).where('e.id', '=', v.id),
).first()

const listDeliveriesOf = defineQuery('why_event_deliveries', (v: { id: string }) =>
  query.selectFrom('webhook_deliveries as d').select('d.id').where('d.event_id', '=', v.id),
)

const countTakers = defineQuery('why_event_takers', (v: { id: string }) =>
  query
    .selectFrom('webhook_endpoints as e')
    .innerJoin('events as v', 'v.project_id', 'e.project_id')
    .select([
      sql<number>`(count(*) filter (where e.enabled))::int`.as('enabled'),
      sql<number>`(count(*) filter (where not e.enabled))::int`.as('disabled'),
    ])
    .where('v.id', '=', v.id)
    .where(sql<boolean>`${sql.raw(matchesSql('e.events', 'v.type'))}`),
).single()

/**
 * Why an event was delivered to endpoints, or was not, in sentences; undefined where the project has no such event.
 * @param waits since when it waits for a worker that passes it on; undefined where it does not
 */
export async function whyEvent(
  data: ProjectData,
  id: string,
  waits: (id: string) => Promise<Date | undefined>,
): Promise<string[] | undefined> {
  const { event, deliveries } = await data.read({
    event: findEvent({ id }),
    deliveries: listDeliveriesOf({ id }),
  })
  if (event === undefined) return undefined
  const told = await Promise.all(deliveries.map((each) => whyDelivery(data, each.id)))
  if (deliveries.length > 0)
    return deliveries.flatMap((each, n) => [toId(deliveryId, each.id), ...(told[n] ?? [])])
  const why = [`${event.type} at ${event.occurred_at}: no delivery`]
  const since = await waits(id)
  if (since !== undefined)
    return [
      ...why,
      `No worker has passed it on since ${since.toISOString()}: look whether workers run with \`guildhall doctor\``,
    ]
  const { takers } = await data.read({ takers: countTakers({ id }) })
  why.push('When a worker passed it on, no enabled endpoint took events of this type')
  why.push(
    `Endpoints that take it now: ${takers.enabled} enabled, ${takers.disabled} disabled. POST /webhooks/{id}/recover sends what an endpoint missed`,
  )
  return why
}
