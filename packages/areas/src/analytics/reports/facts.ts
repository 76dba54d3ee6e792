import { type RawBuilder, sql } from 'kysely'
import { type Goal, reaches } from '../goals/goal.ts'
import { conditionOf, type Filter } from './filters.ts'
import { type Bots, type Hits, hitsOf } from './hits.ts'
import { columnOf, type Dimension, isOfVisit, valueFor } from './queries/dimensions.ts'
import { visitsOf } from './visits.ts'

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

/**
 * Common table expressions that make of events what reports count:
 * - `hits` of whole days, because a visit can begin before the range; `numbered`; `visits`
 * - `matching`: the events in the range that pass the filters, with their visit, bucket and values `v0`, `v1`, …
 * - `per_visit`, `per_visitor`: those counted, by bucket and values
 * @param days which days' events: see `Hits`
 */
export function factsOf(facts: Facts, days: Pick<Hits, 'open' | 'grown'>): RawBuilder<unknown> {
  const { dimensions, filters, goals, bots, from, until, points } = facts
  const asked = [...new Set([...dimensions, ...filters.map(({ dimension }) => dimension)])]
  const columns = new Set(['name', 'member_id', ...asked.map(columnOf)])
  if (asked.some(isOfVisit) || goals.some(({ page }) => page !== null)) columns.add('path')
  const values = valueNames(dimensions)
  return sql`
    ${hitsOf({ columns: [...columns], bots, ...days })},
    ${visitsOf(asked)},
    matching as (
      select ${sql.join([
        sql`n.day_no, n.visitor, n.visit_no, n.name, n.member_id, v.views, v.bounced, v.duration_ms`,
        sql`${reaches(goals)}::int as conversion`,
        sql`${points === undefined ? sql`1` : sql`width_bucket(n.at, ${points}::timestamptz[])`} as bucket`,
        ...dimensions.map((dimension, i) => sql`${valueFor(dimension)} collate "C" as ${sql.raw(`v${i}`)}`),
      ])}
      from numbered n join visits v using (day_no, visitor, visit_no)
      where ${sql.join([sql`n.at >= ${from} and n.at < ${until}`, ...filters.map(conditionOf)], sql` and `)}
    ),
    per_visit as (
      select ${sql.join([
        sql`bucket, day_no, visitor, visit_no`,
        ...values,
        sql`count(*) filter (where name is null) as pageviews, count(name) as events`,
        sql`sum(conversion) as conversions`,
        sql`min(views) as views, min(bounced) as bounced, min(duration_ms) as duration_ms`,
      ])}
      from matching group by ${sql.join([sql`bucket, day_no, visitor, visit_no`, ...values])}
    )`
}

/**
 * The expressions that count `source (day_no, visitor, …, keys)`: first for each visitor of a day, then all. Counts
 * under the negative number of a day are subtracted.
 */
export function countedOf(
  source: RawBuilder<unknown>,
  keys: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  return sql`
    per_visitor as (
      select ${sql.join([
        ...keys,
        sql`(case when day_no < 0 then -1 else 1 end) as layer, count(*) as visits, sum(pageviews) as pageviews, sum(events) as events, sum(bounced) as bounces`,
        sql`sum(duration_ms) as duration_ms, sum(views) as visit_views, sum(conversions) as conversions`,
      ])}
      from ${source} group by ${sql.join([...keys, sql`day_no, visitor`])}
    ),
    counted as (
      select ${sql.join([
        ...keys,
        sql`sum(layer)::bigint as visitors`,
        ...(
          ['visits', 'pageviews', 'events', 'bounces', 'duration_ms', 'visit_views', 'conversions'] as const
        ).map((name) => sql`sum(layer * ${sql.raw(name)})::bigint as ${sql.raw(name)}`),
        sql`coalesce(sum(layer) filter (where conversions > 0), 0)::bigint as converted`,
      ])}
      from per_visitor ${keys.length === 0 ? sql`` : sql`group by ${sql.join(keys)}`}
    )`
}

/** `v0`, `v1`, … */
export const valueNames = (dimensions: readonly Dimension[]): RawBuilder<unknown>[] =>
  dimensions.map((_, i) => sql.raw(`v${i}`))
