import { type RawBuilder, sql } from 'kysely'
import { type Goal, reaches } from '../goals/goal.ts'
import { columnOf, type Dimension, isOfVisit, ofVisit, valueFor } from './dimensions.ts'
import { conditionOf, type Filter } from './filters.ts'

export const BOTS = ['exclude', 'include', 'only'] as const
export type Bots = (typeof BOTS)[number]

/** What is asked of raw events. */
export interface Facts {
  readonly dimensions: readonly Dimension[]
  readonly filters: readonly Filter[]
  /** Those that count as conversions. */
  readonly goals: readonly Goal[]
  readonly bots: Bots
  /** From this moment, up to and without the other. */
  readonly from: Date
  readonly until: Date
  /** Where the buckets of a time series begin. */
  readonly points: readonly Date[] | undefined
}

/** What is asked of events `e`. */
export const BOT_CONDITIONS: { readonly [B in Bots]: RawBuilder<boolean> } = {
  exclude: sql`not e.bot`,
  only: sql`e.bot`,
  include: sql`true`,
}

/**
 * Common table expressions that make of the events of `open_days (no, starts, ends)` what reports count:
 * - `hits`: the events of those whole days, because a visit can begin before the range
 * - `numbered`: with the number of their visit among those of their visitor and day
 * - `visits`
 * - `matching`: the events in the range that pass the filters, with their visit, bucket and values `v0`, `v1`, …
 * - `per_visit`, `per_visitor`: those counted, by bucket and values
 */
export function factsOf(facts: Facts): RawBuilder<unknown> {
  const { dimensions, filters, goals, bots, from, until, points } = facts
  const asked = [...new Set([...dimensions, ...filters.map(({ dimension }) => dimension)])]
  const columns = new Set(['name', 'member_id', ...asked.map(columnOf)])
  if (asked.some(isOfVisit) || goals.some(({ page }) => page !== null)) columns.add('path')
  const kept = [...columns]
  const visitColumns = asked.filter(isOfVisit)
  const values = valueNames(dimensions)
  return sql`
    hits as (
      select d.no as day_no, e.at, e.id, e.visitor, ${list(kept.map((name) => sql`e.${sql.raw(name)}`))}
      from open_days d join analytics_events e on e.at >= d.starts and e.at < d.ends
      where ${BOT_CONDITIONS[bots]}
    ),
    opened as (
      select *, coalesce(at - lag(at) over visitor_day >= interval '30 minutes', true)::int as opens
      from hits window visitor_day as (partition by day_no, visitor order by at, id)
    ),
    numbered as (
      select *, sum(opens) over (partition by day_no, visitor order by at, id rows unbounded preceding) as visit_no
      from opened
    ),
    visits as (
      select ${list([
        sql`day_no, visitor, visit_no, count(*) filter (where name is null) as views`,
        sql`(count(*) = 1 and bool_and(name is null))::int as bounced`,
        sql`(extract(epoch from max(at) - min(at)) * 1000)::bigint as duration_ms`,
        ...visitColumns.map(ofVisit),
      ])}
      from numbered group by day_no, visitor, visit_no
    ),
    matching as (
      select ${list([
        sql`n.day_no, n.visitor, n.visit_no, n.name, n.member_id, v.views, v.bounced, v.duration_ms`,
        sql`${reaches(goals)}::int as conversion`,
        sql`${points === undefined ? sql`1` : sql`width_bucket(n.at, ${points}::timestamptz[])`} as bucket`,
        ...dimensions.map((dimension, i) => sql`${valueFor(dimension)} as ${sql.raw(`v${i}`)}`),
      ])}
      from numbered n join visits v using (day_no, visitor, visit_no)
      where ${sql.join([sql`n.at >= ${from} and n.at < ${until}`, ...filters.map(conditionOf)], sql` and `)}
    ),
    per_visit as (
      select ${list([
        sql`bucket, day_no, visitor, visit_no`,
        ...values,
        sql`count(*) filter (where name is null) as pageviews, count(name) as events`,
        sql`sum(conversion) as conversions`,
        sql`min(views) as views, min(bounced) as bounced, min(duration_ms) as duration_ms`,
      ])}
      from matching group by ${list([sql`bucket, day_no, visitor, visit_no`, ...values])}
    )`
}

/** The expressions that count `source (bucket, day_no, visitor, …, keys)`: first for each visitor of a day, then all. */
export function countedOf(
  source: RawBuilder<unknown>,
  keys: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  return sql`
    per_visitor as (
      select ${list([
        ...keys,
        sql`count(*) as visits, sum(pageviews) as pageviews, sum(events) as events, sum(bounced) as bounces`,
        sql`sum(duration_ms) as duration_ms, sum(views) as visit_views, sum(conversions) as conversions`,
      ])}
      from ${source} group by ${list([...keys, sql`day_no, visitor`])}
    ),
    counted as (
      select ${list([
        ...keys,
        sql`count(*) as visitors, sum(visits)::bigint as visits, sum(pageviews)::bigint as pageviews`,
        sql`sum(events)::bigint as events, sum(bounces)::bigint as bounces, sum(duration_ms)::bigint as duration_ms`,
        sql`sum(visit_views)::bigint as visit_views, sum(conversions)::bigint as conversions`,
        sql`count(*) filter (where conversions > 0) as converted`,
      ])}
      from per_visitor ${keys.length === 0 ? sql`` : sql`group by ${list(keys)}`}
    )`
}

/** `v0`, `v1`, … */
export const valueNames = (dimensions: readonly Dimension[]): RawBuilder<unknown>[] =>
  dimensions.map((_, i) => sql.raw(`v${i}`))

export const list = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts)
