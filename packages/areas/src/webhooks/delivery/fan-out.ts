import { patternsOf } from '#areas/events/service.ts'
import type { FanOut } from '#platform/events/fan-out.ts'
import type { Lane } from '#platform/jobs/queues/lanes.ts'
import { webhookTest } from '../events.ts'

/** The name of the consumer that sends. */
export const DELIVER = 'webhooks.deliver'

/** One delivery for each enabled endpoint that listens to the event. */
const FAN_OUT = `
  with moved as (
    select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as m (project_id, id, type, traceparent)
  ), added as (
    insert into webhook_deliveries (project_id, endpoint_id, event_id, event_type, due_at, traceparent)
    select m.project_id, e.id, m.id, m.type, v.occurred_at, m.traceparent
    from moved m
    join webhook_endpoints e on e.project_id = m.project_id and e.enabled and exists (
      select from unnest($5::text[], $6::text[]) as p (type, pattern) where p.type = m.type and p.pattern = any (e.events))
    join events v on v.project_id = m.project_id and v.id = m.id
    on conflict (project_id, endpoint_id, event_id) do nothing
    returning project_id, endpoint_id
  )
  select a.project_id, a.endpoint_id, e.lane
  from (select distinct project_id, endpoint_id from added) as a
  join webhook_endpoints e on e.project_id = a.project_id and e.id = a.endpoint_id`

/** Makes the deliveries of events. Test events are delivered by the request that makes them. */
export const fanOutToEndpoints: FanOut = async (client, all) => {
  const events = all.filter(({ type }) => type !== webhookTest.name)
  const patterns = [...new Set(events.map(({ type }) => type))].flatMap((type) =>
    patternsOf(type).map((pattern) => ({ type, pattern })),
  )
  const { rows } = await client.query<{ project_id: string; endpoint_id: string; lane: Lane }>({
    name: 'webhooks_fan_out',
    text: FAN_OUT,
    values: [
      events.map((event) => event.projectId),
      events.map((event) => event.id),
      events.map((event) => event.type),
      events.map((event) => event.traceparent),
      patterns.map(({ type }) => type),
      patterns.map(({ pattern }) => pattern),
    ],
  })
  return rows.map((row) => ({
    lane: row.lane,
    consumer: DELIVER,
    projectId: row.project_id,
    key: row.endpoint_id,
  }))
}
