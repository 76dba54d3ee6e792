import { type RawBuilder, sql } from 'kysely'
import { type Dimension, isOfVisit, ofVisit } from './queries/dimensions.ts'

/**
 * Common table expressions that make visits of `hits`:
 * - `numbered`: the events with their place `n` among those of their visitor and day, and the number of their visit
 * - `visits`, with the values of these dimensions; a visit takes its attributes from one of its events
 * @param more columns that are summed up over the events `n` of a visit
 */
export function visitsOf(
  dimensions: readonly Dimension[],
  more: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  const asked = dimensions.filter(isOfVisit)
  const fromFirst = asked.some((dimension) => dimension !== 'exit_page')
  const fromLast = asked.includes('exit_page')
  const at = (alias: string, place: string) =>
    sql.raw(
      `numbered ${alias} on ${alias}.day_no = s.day_no and ${alias}.visitor = s.visitor and ${alias}.n = s.${place}`,
    )
  return sql`
    opened as (
      select *, row_number() over visitor_day as n,
        coalesce(at - lag(at) over visitor_day >= interval '30 minutes', true)::int as opens
      from hits window visitor_day as (partition by day_no, visitor order by at, id)
    ),
    numbered as (
      select *, sum(opens) over (partition by day_no, visitor order by at, id rows unbounded preceding) as visit_no
      from opened
    ),
    spans as (
      select ${sql.join([
        sql`day_no, visitor, visit_no, count(*) filter (where name is null) as views`,
        sql`(count(*) = 1 and bool_and(name is null))::int as bounced`,
        sql`(extract(epoch from max(at) - min(at)) * 1000)::bigint as duration_ms`,
        // The first page view, or the first event where there is none; and the last page view.
        sql`coalesce(min(n.n) filter (where name is null), min(n.n)) as first_n`,
        sql`max(n.n) filter (where name is null) as last_n`,
        ...more,
      ])}
      from numbered n group by day_no, visitor, visit_no
    ),
    visits as (
      select ${sql.join([sql`s.*`, ...asked.map(ofVisit)])} from spans s
      ${fromFirst ? sql`join ${at('f', 'first_n')}` : sql``}
      ${fromLast ? sql`left join ${at('l', 'last_n')}` : sql``}
    )`
}
