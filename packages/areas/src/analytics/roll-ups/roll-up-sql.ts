import { type RawBuilder, sql } from 'kysely'
import type { Goal } from '../goals/goal.ts'
import { type NamedDimension, VISIT_DIMENSIONS } from '../reports/dimensions.ts'
import { countedOf, factsOf, list, valueNames } from '../reports/facts.ts'
import { SUMS } from '../reports/metrics.ts'

/** A day that is rolled up. */
export interface RolledDay {
  readonly day: string
  readonly starts: Date
  readonly ends: Date
  readonly goals: readonly Goal[]
}

const sums = sql.raw(SUMS.join(', '))

const factsOfDay = (
  { starts, ends, goals }: RolledDay,
  dimensions: readonly NamedDimension[],
  points?: readonly Date[],
): RawBuilder<unknown> => sql`
  open_days as materialized (select 1 as no, ${starts}::timestamptz as starts, ${ends}::timestamptz as ends),
  ${factsOf({ dimensions, filters: [], goals, bots: 'exclude', from: starts, until: ends, points })}`

/** The day's hours. @param points where they begin */
export const rollUpHours = (day: RolledDay, points: readonly Date[]): RawBuilder<object> => sql<object>`
  with ${factsOfDay(day, [], points)}, ${countedOf(sql`per_visit`, [sql`bucket`])}
  insert into analytics_hours (day, starts_at, ${sums})
    select ${day.day}::date, (${points}::timestamptz[])[bucket], ${sums} from counted`

/** The day in all, and the members that were there. */
export const rollUpTotals = (day: RolledDay): RawBuilder<object> => sql<object>`
  with ${factsOfDay(day, [])}, ${countedOf(sql`per_visit`, [sql`bucket`])},
  members as (
    insert into analytics_members (day, dimension, value, member_id)
      select distinct ${day.day}::date, '', '', member_id from matching where member_id is not null
  )
  insert into analytics_values (day, dimension, value, ${sums})
    select ${day.day}::date, '', '', ${sums} from counted`

/** The day by a dimension of events. */
export const rollUpEvents = (day: RolledDay, dimension: NamedDimension): RawBuilder<object> => sql<object>`
  with ${factsOfDay(day, [dimension])}, ${countedOf(sql`per_visit`, [sql`v0`])},
  members as (
    insert into analytics_members (day, dimension, value, member_id)
      select distinct ${day.day}::date, ${dimension}::text, v0, member_id
      from matching where member_id is not null and v0 is not null
  )
  insert into analytics_values (day, dimension, value, ${sums})
    select ${day.day}::date, ${dimension}::text, v0, ${sums} from counted where v0 is not null`

/** The day by every dimension of visits at once. A visit is counted first, and then under each of its values. */
export function rollUpVisits(day: RolledDay): RawBuilder<object> {
  const values = valueNames(VISIT_DIMENSIONS)
  const each = sql`lateral (values ${list(
    VISIT_DIMENSIONS.map((dimension, i) => sql`(${dimension}::text, ${sql.raw(`v${i}`)})`),
  )}) as t (dimension, value)`
  return sql<object>`
    with ${factsOfDay(day, VISIT_DIMENSIONS)},
    per_value as (select p.*, t.dimension, t.value from per_visit p, ${each} where t.value is not null),
    ${countedOf(sql`per_value`, [sql`dimension`, sql`value`])},
    members as (
      insert into analytics_members (day, dimension, value, member_id)
        select distinct ${day.day}::date, t.dimension, t.value, m.member_id
        from (select distinct member_id, ${list(values)} from matching where member_id is not null) as m, ${each}
        where t.value is not null
    )
    insert into analytics_values (day, dimension, value, ${sums})
      select ${day.day}::date, dimension, value, ${sums} from counted`
}
