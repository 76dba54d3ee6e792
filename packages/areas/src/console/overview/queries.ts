import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'

interface Counted {
  members: Record<string, number>
  mrr: { currency: string; amount_minor: number }[]
  endpoints: number
  failing: number
  disabled: number
  pending_deliveries: number
  submissions: Record<string, number>
}

/** What is there now, from counters and indexes. */
export const countNow = defineQuery(
  'console_overview',
  () => sql<Counted>`select
    (select coalesce(json_object_agg(status, members), '{}') from (
      select status, sum(members)::int8 as members from member_counts group by status) s) as members,
    (select coalesce(json_agg(json_build_object('currency', currency, 'amount_minor', amount) order by currency), '[]') from (
      select currency, sum(amount_minor)::int8 as amount from mrr_changes group by currency having sum(amount_minor) <> 0) m) as mrr,
    (select count(*) filter (where enabled) from webhook_endpoints) as endpoints,
    (select count(*) filter (where enabled and failing_since is not null) from webhook_endpoints) as failing,
    (select count(*) filter (where not enabled) from webhook_endpoints) as disabled,
    (select count(*) from (select from webhook_deliveries where due_at is not null and is_retry limit 1000) d) as pending_deliveries,
    (select coalesce(json_object_agg(status, submissions), '{}') from (
      select status, sum(submissions)::int8 as submissions from form_submission_counts group by status) f) as submissions`,
).single()

/** How many of each day. */
export interface DayCount {
  day: string
  count: number
}

const beginning = (from: string) => sql`((${from}::date - 1)::timestamp at time zone 'UTC')`

/** Submissions of each day since the first one, of all forms. */
export const submissionsByDay = defineQuery(
  'submissions_by_day',
  (v: { from: string }) => sql<DayCount>`
    select to_char((s.created_at at time zone p.timezone)::date, 'YYYY-MM-DD') as day, count(*) as count
    from projects p cross join forms f join form_submissions s on s.form_id = f.id and s.status = 'received'
      and s.created_at >= ${beginning(v.from)}
    where p.id = app.current_project() and f.deleted_at is null
      and (s.created_at at time zone p.timezone)::date >= ${v.from}::date
    group by 1`,
)

/** Deliveries that were given up on each day since the first one. */
export const failedDeliveriesByDay = defineQuery(
  'failed_deliveries_by_day',
  (v: { from: string }) => sql<DayCount>`
    select to_char((s.hour at time zone p.timezone)::date, 'YYYY-MM-DD') as day, sum(s.failed_deliveries)::int8 as count
    from projects p cross join webhook_endpoints e join webhook_stats s on s.endpoint_id = e.id
      and s.hour >= ${beginning(v.from)}
    where p.id = app.current_project() and (s.hour at time zone p.timezone)::date >= ${v.from}::date
    group by 1 having sum(s.failed_deliveries) > 0`,
)

/** Deliveries that were given up in the last 24 hours. */
export const failedToday = defineQuery(
  'failed_deliveries_of_a_day',
  () => sql<{ count: number }>`select coalesce(sum(s.failed_deliveries), 0)::int8 as count
    from webhook_endpoints e join webhook_stats s on s.endpoint_id = e.id and s.hour > now() - interval '24 hours'`,
).single()
