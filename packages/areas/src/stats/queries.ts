import { type RawBuilder, sql } from 'kysely'
import { MEMBER_STATUSES } from '#areas/members/schema.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import type { DailyMetric } from './schema.ts'

/** The first and the last day, as `2026-11-21`. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

/** The sum of one day, in the smallest unit of its currency; of counts without a currency. */
export interface DayValue {
  /** Null: before the first day. */
  readonly day: string | null
  readonly currency: string | null
  readonly value: number
}

/** The time zone of the project, and the day that it is there. */
export const getToday = defineQuery(
  'today_of_project',
  () => sql<{ timezone: string; today: string }>`
    select timezone, to_char(${now} at time zone timezone, 'YYYY-MM-DD') as today
    from projects where id = app.current_project()`,
).one('Project')

/** From about a day before the range on: which day a moment belongs to is said by the zone. */
const begins = (v: DayRange) => sql`((${v.from}::date - 1)::timestamp at time zone 'UTC')`
const ends = (v: DayRange) => sql`((${v.to}::date + 2)::timestamp at time zone 'UTC')`
const within = (column: string, v: DayRange) =>
  sql<boolean>`(${sql.ref(column)} >= ${begins(v)} and ${sql.ref(column)} < ${ends(v)})`

/** Sums by day of rows that have `at`, `currency` and `value`. */
const byDay = (rows: RawBuilder<unknown>, v: DayRange) => sql<DayValue>`
  select to_char(counted.day, 'YYYY-MM-DD') as day, counted.currency, sum(counted.value)::int8 as value
  from (
    select (r.at at time zone p.timezone)::date as day, r.currency, r.value
    from projects p cross join (${rows}) r (at, currency, value)
    where p.id = app.current_project()
  ) counted
  where counted.day between ${v.from}::date and ${v.to}::date
  group by counted.day, counted.currency`

const dailyRevenue = defineQuery('daily_revenue', (v: DayRange) =>
  byDay(
    sql`select settled_at, currency, amount_minor from payments
        where status = 'succeeded' and ${within('settled_at', v)}
      union all
      select r.settled_at, p.currency, -r.amount_minor from refunds r join payments p on p.id = r.payment_id
        where r.status = 'succeeded' and ${within('r.settled_at', v)}`,
    v,
  ),
)

const dailyOrders = defineQuery('daily_orders', (v: DayRange) =>
  byDay(
    sql`select h.created_at, null::text, 1 from order_history h
      where h.to_status = 'paid' and ${within('h.created_at', v)}
        and not exists (select from order_history earlier
          where earlier.order_id = h.order_id and earlier.to_status = 'paid' and earlier.id < h.id)`,
    v,
  ),
)

/** Counted by quarters of an hour first, from an index alone: in every zone a day begins with one. */
const signUps = (which: RawBuilder<unknown>, v: DayRange) =>
  sql`select date_bin('15 minutes', created_at, '2000-01-01T00:00:00Z'::timestamptz), null::text, count(*) from members
      where ${which} and ${within('created_at', v)} group by 1`

const dailySignUps = defineQuery('daily_sign_ups', (v: DayRange) =>
  byDay(
    sql`${signUps(sql`deleted_at is null and status = any (${sql.lit(`{${MEMBER_STATUSES.join(',')}}`)}::text[])`, v)}
      union all ${signUps(sql`deleted_at is not null`, v)}`,
    v,
  ),
)

/** Changes of each day; those before the first day in one sum. */
const dailyMrr = defineQuery(
  'daily_mrr',
  (v: DayRange) => sql<DayValue>`
    select to_char(changed.day, 'YYYY-MM-DD') as day, changed.currency, sum(changed.amount_minor)::int8 as value
    from (
      select c.currency, c.amount_minor,
        case when (c.occurred_at at time zone p.timezone)::date >= ${v.from}::date
          then (c.occurred_at at time zone p.timezone)::date end as day
      from projects p cross join mrr_changes c
      where p.id = app.current_project() and c.occurred_at < ${ends(v)}
    ) changed
    where changed.day is null or changed.day <= ${v.to}::date
    group by changed.day, changed.currency`,
)

/** The values of days that have any. Of `mrr` they are changes. */
export const dailyValues = {
  revenue: dailyRevenue,
  mrr: dailyMrr,
  orders: dailyOrders,
  sign_ups: dailySignUps,
} satisfies Record<DailyMetric, unknown>
