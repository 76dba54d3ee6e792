import { type RawBuilder, sql } from 'kysely'
import { type Goal, reaches } from '../goals/goal.ts'
import { countedOf } from '../reports/facts.ts'
import { hitsOf } from '../reports/hits.ts'
import { SUMS } from '../reports/metrics.ts'
import { VISIT_ATTRIBUTES, VISIT_DIMENSIONS } from '../reports/queries/dimensions.ts'
import { visitsOf } from '../reports/visits.ts'

/** A day that is rolled up. */
export interface RolledDay {
  readonly day: string
  readonly starts: Date
  readonly ends: Date
  readonly goals: readonly Goal[]
  /** Where its hours begin. */
  readonly points: readonly Date[]
  /** Its roll-ups have everything up to this generation; without them everything is counted. */
  readonly rolled: number | undefined
  /** Everything up to this generation is added. */
  readonly bound: number
}

const sums = sql.raw(SUMS.join(', '))
/** The dimension under which hours are counted beside the others. */
const HOUR = 'hour'

/**
 * Adds to the roll-ups of a day what has come since they were made, in one statement: the day's visits are made once, and
 * counted under the day itself, its hours, and every value of every dimension.
 */
export function rollUp(day: RolledDay): RawBuilder<object> {
  const { bound, goals, points, rolled, starts, ends } = day
  const itself = sql`1 as no, ${starts}::timestamptz as starts, ${ends}::timestamptz as ends`
  return sql<object>`with
    ${
      rolled === undefined
        ? sql`open_days as materialized (select ${itself}),`
        : sql`grown_days as materialized (select ${itself}, ${rolled}::bigint as rolled),`
    }
    ${hitsOf({
      columns: ['name', 'member_id', 'path', ...VISIT_ATTRIBUTES],
      bots: 'exclude',
      open: rolled === undefined,
      grown: rolled !== undefined,
      bound,
    })},
    ${visitsOf(VISIT_DIMENSIONS, [sql`sum(${reaches(goals)}::int) as conversions`, sql`count(n.name) as events`])},
    per_visit as (${perVisit(day)}),
    ${countedOf(sql`per_visit`, [sql`dimension`, sql`value`])},
    changed as materialized (
      select * from counted where ${sql.join(
        SUMS.map((name) => sql`${sql.raw(name)} <> 0`),
        sql` or `,
      )}
    ),
    hours as (
      insert into analytics_hours as t (day, starts_at, ${sums})
        select ${day.day}::date, (${points}::timestamptz[])[value::int], ${sums} from changed
        where dimension = ${HOUR}
        on conflict (project_id, day, starts_at) do update set ${added}
    ),
    members as (${membersOf(day)})
    insert into analytics_values as t (day, dimension, value, ${sums})
      select ${day.day}::date, dimension, value, ${sums} from changed where dimension <> ${HOUR}
      on conflict (project_id, dimension, day, value) do update set ${added}`
}

const added = sql.raw(SUMS.map((name) => `${name} = t.${name} + excluded.${name}`).join(', '))

/** Each visit's values. */
const valuesOfVisit = sql`lateral (values ${sql.join(
  VISIT_DIMENSIONS.map((dimension) => sql`(${dimension}::text, v.${sql.raw(dimension)})`),
)}) as t (dimension, value)`

/** What events `n` are of themselves. */
const ofEvent = sql`case when n.name is null then 'page' else 'event' end as dimension,
  case when n.name is null then n.path else n.name end as value`

/** Visits under everything that they count for, with what of them counts there. */
function perVisit({ points, goals }: RolledDay): RawBuilder<unknown> {
  const whole = sql`v.bounced, v.duration_ms, v.views`
  const parts = sql`count(*) filter (where n.name is null) as pageviews, count(n.name) as events,
    sum(${reaches(goals)}::int) as conversions`
  const grouped = (what: RawBuilder<unknown>) => sql`
    select p.day_no, p.visitor, p.dimension, p.value, p.pageviews, p.events, p.conversions, ${whole}
    from (
      select n.day_no, n.visitor, n.visit_no, ${what}, ${parts} from numbered n
      group by n.day_no, n.visitor, n.visit_no, dimension, value
    ) as p join visits v using (day_no, visitor, visit_no)
    where p.value is not null`
  return sql`
    select v.day_no, v.visitor, '' collate "C" as dimension, '' collate "C" as value, v.views as pageviews, v.events, v.conversions, ${whole}
    from visits v
    union all
    select v.day_no, v.visitor, t.dimension, t.value, v.views, v.events, v.conversions, ${whole}
    from visits v, ${valuesOfVisit} where t.value is not null
    union all ${grouped(ofEvent)}
    union all ${grouped(sql`${HOUR}::text as dimension, width_bucket(n.at, ${points}::timestamptz[])::text as value`)}`
}

/** The visitors of each value. Members are only added: a removed event outdates the day. */
const membersOf = ({ day }: RolledDay): RawBuilder<unknown> => sql`
  insert into analytics_members (day, dimension, value, member_id)
    select ${day}::date, '', '', member_id from numbered where member_id is not null and day_no > 0
    union
    select ${day}::date, t.dimension, t.value, m.member_id
    from (
      select distinct day_no, visitor, visit_no, member_id from numbered where member_id is not null and day_no > 0
    ) as m join visits v using (day_no, visitor, visit_no), ${valuesOfVisit}
    where t.value is not null
    union
    select ${day}::date, p.dimension, p.value, p.member_id
    from (select n.member_id, ${ofEvent} from numbered n where n.member_id is not null and n.day_no > 0) as p
    where p.value is not null
    on conflict do nothing`
