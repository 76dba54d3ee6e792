import { matchesSql } from '#areas/events/service.ts'
import type { FanOut } from '#platform/events/fan-out.ts'
import { webhookTest } from '../events.ts'

/** The name of the consumer that sends. */
export const DELIVER = 'webhooks.deliver'

/**
 * One delivery for each enabled endpoint that listens to the event. Test events are delivered by the request that makes
 * them.
 */
export const fanOutToEndpoints: FanOut = {
  ctes: `
    webhooks_added as (
      insert into webhook_deliveries (project_id, endpoint_id, event_id, event_type, due_at, traceparent)
      select m.project_id, e.id, m.id, m.type, m.occurred_at, m.traceparent
      from emitted m
      join webhook_endpoints e on e.project_id = m.project_id and e.enabled and ${matchesSql('e.events', 'm.type')}
      where m.type <> '${webhookTest.name}'
      on conflict (project_id, endpoint_id, event_id) do nothing
      returning project_id, endpoint_id
    )`,
  signals: `
    select e.lane, '${DELIVER}' as consumer, a.project_id, a.endpoint_id::text as key
    from (select distinct project_id, endpoint_id from webhooks_added) as a
    join webhook_endpoints e on e.project_id = a.project_id and e.id = a.endpoint_id`,
}
