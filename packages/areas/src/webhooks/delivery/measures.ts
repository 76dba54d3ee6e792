import { defineMeasure } from '#platform/jobs/define-measure.ts'

/** Deliveries that are not done: held where their endpoint is disabled, or waits for the head of its queue. */
export const openDeliveries = defineMeasure({
  name: 'guildhall_webhook_deliveries',
  help: 'Open deliveries: waiting for the first attempt, retrying, or held by an endpoint that is disabled or blocked; at most 100,000',
  labels: { state: ['waiting', 'retrying', 'held'] },
  sql: `
    select case when not e.enabled or e.blocked_until > now() then 'held' when d.is_retry then 'retrying' else 'waiting' end as state,
      count(*)::int as count
    from (select project_id, endpoint_id, is_retry from webhook_deliveries where due_at is not null limit 100000) as d
    join webhook_endpoints e on e.project_id = d.project_id and e.id = d.endpoint_id group by 1`,
})

export const troubledEndpoints = defineMeasure({
  name: 'guildhall_webhook_endpoints',
  help: 'Endpoints that are enabled, that fail at the moment, or that were disabled because they failed',
  labels: { state: ['enabled', 'failing', 'disabled'] },
  sql: `
    select case when not enabled then 'disabled' when failing_since is not null then 'failing' else 'enabled' end as state,
      count(*)::int as count
    from (select enabled, failing_since from webhook_endpoints where enabled or disabled_reason <> 'requested' limit 100000) as e
    group by 1`,
})
