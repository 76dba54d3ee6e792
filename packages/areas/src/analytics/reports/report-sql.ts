import { type RawBuilder, sql } from 'kysely'
import { keyOfGoals } from '../goals/goal.ts'
import { countedOf, type Facts, factsOf, valueNames } from './facts.ts'
import { type Metric, orderOf, SUMS, type Sums } from './metrics.ts'
import { isRolledUp } from './queries/dimensions.ts'

/** A day of the project that the range touches, and the bucket that it lies in as a whole: 0 where it does not. */
export interface ReportDay {
  readonly day: string
  readonly starts: Date
  readonly ends: Date
  readonly bucket: number
}

export interface ReportRequest extends Facts {
  /** The project's. */
  readonly zone: string
  readonly days: readonly ReportDay[]
  /** Whether buckets are hours of the project's zone, so that a day is read from its hours. */
  readonly byHour: boolean
  /** Counts everything anew, from raw events alone. */
  readonly recount: boolean
  readonly withMembers: boolean
  /** Which groups, of how many. */
  readonly order?: readonly { readonly by: Metric | number | 'bucket'; readonly descending: boolean }[]
  readonly after?: { readonly value: number; readonly key: string }
  readonly limit?: number
  /** Only these groups: those that another report has found. */
  readonly only?: readonly Pick<ReportRow, 'bucket' | 'values'>[]
}

/** A group: its bucket, the values that it is of, and its sums. */
export interface ReportRow extends Sums {
  readonly bucket: number
  readonly values: string[]
  /** What it is put in order by first. */
  readonly rank: number
}

/** Whether roll-ups can serve any of it: they know one dimension at a time, everything, and no bots. */
const canBeRolled = ({ dimensions, filters, bots, recount, byHour }: ReportRequest): boolean =>
  !recount &&
  bots === 'exclude' &&
  filters.length === 0 &&
  dimensions.length <= (byHour ? 0 : 1) &&
  dimensions.every(isRolledUp)

/**
 * A report in one statement, so that all of it is of one moment. Whole days that are rolled up are read from there, and
 * corrected by what came since; the events of the other days are counted.
 */
export function reportSql(request: ReportRequest): RawBuilder<ReportRow> {
  const { days, dimensions, withMembers } = request
  const keys = [sql`bucket`, ...valueNames(dimensions)]
  const rolled = canBeRolled(request) && days.some(({ bucket }) => bucket > 0)
  return sql<ReportRow>`with
    days as materialized (
      select * from unnest(${days.map(({ day }) => day)}::date[], ${days.map(({ starts }) => starts)}::timestamptz[],
        ${days.map(({ ends }) => ends)}::timestamptz[], ${days.map(({ bucket }) => bucket)}::int[])
        with ordinality as t (day, starts, ends, bucket, no)
    ),
    ${rolled ? rolledDays(request) : sql`open_days as (select * from days),`}
    ${factsOf(request, { open: true, grown: rolled })},
    ${countedOf(sql`per_visit`, keys)},
    summed as (
      select ${sql.join([...keys, ...SUMS.map((name) => sql`sum(${sql.raw(name)})::bigint as ${sql.raw(name)}`)])}
      from (select * from counted ${rolled ? sql`union all ${rolledRows(request)}` : sql``}) as parts
      group by ${sql.join(keys)} having sum(visits) > 0
    ),
    ${withMembers ? membersOf(request, keys, rolled) : sql``}
    grouped as (
      select s.*, ${withMembers ? sql`coalesce(m.members, 0)` : sql`0::bigint`} as members
      from summed s ${withMembers ? sql`left join members_of_group m using (${sql.join(keys)})` : sql``}
      where ${sql.join([sql`true`, ...valueNames(dimensions).map((value) => sql`${value} is not null`)], sql` and `)}
    )
    ${picked(request)}`
}

/**
 * `rolled_days` are rolled up under what holds now, `grown_days` those of them that have got events since, and `open_days`
 * are the others.
 */
const rolledDays = ({ zone, goals }: ReportRequest): RawBuilder<unknown> => sql`
  rolled_days as materialized (
    select d.*, s.rolled_generation as rolled, s.changed_generation as changed
    from days d join analytics_days s on s.day = d.day
    where d.bucket > 0 and s.timezone = ${zone} and s.goals = ${keyOfGoals(goals)}
  ),
  grown_days as materialized (select no, starts, ends, rolled from rolled_days where changed > rolled),
  open_days as materialized (select * from days d where not exists (select from rolled_days r where r.no = d.no)),`

/** Days of the range, so that no others are read. */
const inRange = ({ days }: ReportRequest): RawBuilder<boolean> =>
  sql`r.day >= ${days[0]?.day}::date and r.day <= ${days.at(-1)?.day}::date`

function rolledRows(request: ReportRequest): RawBuilder<unknown> {
  const { byHour, dimensions, points } = request
  const sums = sql.raw(SUMS.map((name) => `r.${name}`).join(', '))
  if (byHour)
    return sql`select width_bucket(r.starts_at, ${points}::timestamptz[]), ${sums}
      from rolled_days c join analytics_hours r on r.day = c.day where ${inRange(request)}`
  const [dimension] = dimensions
  return sql`select c.bucket, ${dimension === undefined ? sql`` : sql`r.value collate "C",`} ${sums}
    from rolled_days c join analytics_values r on r.day = c.day
    where r.dimension = ${dimension ?? ''} and ${inRange(request)}`
}

/** Members by group: each counts once, however many days it was there. */
function membersOf(
  request: ReportRequest,
  keys: readonly RawBuilder<unknown>[],
  rolled: boolean,
): RawBuilder<unknown> {
  return sql`members_of_group as (
    select ${sql.join(keys)}, count(distinct member_id) as members
    from (
      select distinct ${sql.join(keys)}, member_id from matching where member_id is not null
      ${rolled ? sql`union all ${rolledMembers(request)}` : sql``}
    ) as seen group by ${sql.join(keys)}
  ),`
}

function rolledMembers(request: ReportRequest): RawBuilder<unknown> {
  const { byHour, dimensions, points } = request
  if (byHour)
    return sql`select width_bucket(e.at, ${points}::timestamptz[]), e.member_id
      from rolled_days c join analytics_events e on e.at >= c.starts and e.at < c.ends
      where e.member_id is not null and not e.bot`
  const [dimension] = dimensions
  return sql`select c.bucket, ${dimension === undefined ? sql`` : sql`r.value collate "C",`} r.member_id
    from rolled_days c join analytics_members r on r.day = c.day
    where r.dimension = ${dimension ?? ''} and ${inRange(request)}`
}

function picked({ dimensions, order = [], after, limit, only }: ReportRequest): RawBuilder<unknown> {
  const values = valueNames(dimensions)
  const [first] = order
  const rank =
    first === undefined || typeof first.by === 'number' || first.by === 'bucket' ? sql`0` : orderOf[first.by]
  const ordered = [
    ...order.map(({ by, descending }) => {
      const what =
        typeof by === 'number' ? sql.raw(`v${by} collate "C"`) : by === 'bucket' ? sql`bucket` : orderOf[by]
      return descending ? sql`${what} desc` : what
    }),
    ...values.map((value) => sql`${value} collate "C"`),
    sql`bucket`,
  ]
  const key = sql`v0 collate "C"`
  return sql`select bucket, array[${sql.join(values)}]::text[] as values, (${rank})::float8 as rank,
      ${sql.raw([...SUMS, 'members'].join(', '))}
    from grouped
    where ${only === undefined ? sql`true` : isOneOf(only, values)}
      ${after === undefined ? sql`` : sql`and ((${rank})::float8 < ${after.value} or ((${rank})::float8 = ${after.value} and ${key} > ${after.key}))`}
    order by ${sql.join(ordered)}
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`
}

/** Whether a group is one of some, by its bucket and its values. */
function isOneOf(
  groups: readonly Pick<ReportRow, 'bucket' | 'values'>[],
  values: readonly RawBuilder<unknown>[],
): RawBuilder<boolean> {
  const columns = [
    sql`${groups.map(({ bucket }) => bucket)}::int[]`,
    ...values.map((_, i) => sql`${groups.map((group) => group.values[i])}::text[]`),
  ]
  return sql`(${sql.join([sql`bucket`, ...values])}) in (select * from unnest(${sql.join(columns)}))`
}
