import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidBody } from '#platform/errors.ts'
import { isTimeZone } from '#platform/values/time-zone.ts'
import { addDays, addMonths, type Day, dayAt, firstOfMonth, mondayOf, startOfDay } from '../../calendar.ts'
import { firstKeptDay, readSettings } from '../../settings.ts'
import { reportDays } from '../period.ts'
import { type Reports, readWithSettings } from '../report.ts'
import type { RetentionBody } from './query-schema.ts'

const firstEvent = defineQuery('first_event', () =>
  query.selectFrom('analytics_events').select(sql<string | null>`min(at)`.as('first')),
)
  .map(({ first }) => first)
  .single()

/** Cohorts as clients see them. */
export interface RetentionResult {
  readonly interval: 'day' | 'week' | 'month'
  readonly timezone: string
  readonly cohorts: { start: string; members: number; returned: number[] }[]
}

/**
 * Members by the period in which they were first seen, and how many of them were seen in each period since. Visitors are
 * known for a day only, so that their return is unknown.
 */
export async function answerRetention(
  data: Reports,
  body: RetentionBody,
  now: number,
): Promise<RetentionResult> {
  const { settings, first } = await data.read({ settings: readSettings(), first: firstEvent() })
  const { interval = 'week', periods = 12, timezone = settings.timezone } = body
  if (!isTimeZone(timezone))
    throw invalidBody([
      { field: 'timezone', rule: 'timezone', message: 'must be an IANA time zone, like Europe/Berlin' },
    ])
  const starts = cohortStarts(interval, periods, timezone, body.end_date, now)
  const until = startOfDay(timezone, nextStart(interval, starts.at(-1) as Day))
  const points = starts.map((start) => startOfDay(timezone, start))
  // Visitors from before the first cohort belong to none of these. Before the first event there were none.
  const seenFrom = first === null ? Number.POSITIVE_INFINITY : Date.parse(first)
  const kept = startOfDay(settings.timezone, firstKeptDay(settings, now))
  const begun = startOfDay(
    settings.timezone,
    dayAt(settings.timezone, Math.min(Math.max(kept, seenFrom), points[0] as number)),
  )
  const from = Math.min(Math.max(kept, begun), points[0] as number)
  const days = reportDays(settings.timezone, { zone: timezone, from, until }, [from, ...points], false)
  const work = membersSeen({ days, bounds: [from, ...points], until, zone: settings.timezone })
  const rows = await readWithSettings(data, 'retention', work)
  const counts = new Map(rows.map(({ cohort, period, members }) => [`${cohort} ${period}`, members]))
  return {
    interval,
    timezone,
    cohorts: points.map((point, i) => ({
      start: new Date(point).toISOString(),
      members: counts.get(`${i + 2} ${i + 2}`) ?? 0,
      returned: points.slice(i).map((_, later) => counts.get(`${i + 2} ${i + 2 + later}`) ?? 0),
    })),
  }
}

interface Seen {
  readonly days: ReturnType<typeof reportDays>
  /** The moment from which days are read, and the beginnings of cohorts. */
  readonly bounds: readonly number[]
  readonly until: number
  /** In which days are rolled up. */
  readonly zone: string
}

/** How many members of each cohort were seen in each period; both are counted from 2. */
function membersSeen({ days, bounds, until, zone }: Seen) {
  return sql<{ cohort: number; period: number; members: number }>`with
    days as materialized (
      select * from unnest(${days.map(({ day }) => day)}::date[], ${days.map(({ starts }) => starts)}::timestamptz[],
        ${days.map(({ ends }) => ends)}::timestamptz[], ${days.map(({ bucket }) => bucket)}::int[])
        as t (day, starts, ends, bucket)
    ),
    rolled_days as materialized (
      select d.*, s.rolled_generation as rolled, s.changed_generation as changed
      from days d join analytics_days s on s.day = d.day
      where d.bucket > 0 and s.timezone = ${zone}
    ),
    fresh as materialized (
      select e.at, e.member_id, e.generation from analytics_events e
      where e.generation > (select min(rolled) from rolled_days where changed > rolled)
        and e.generation <= (select generation from analytics_generations)
        and e.member_id is not null and not e.bot
    ),
    seen as (
      select c.bucket, m.member_id from rolled_days c join analytics_members m on m.day = c.day
      where m.dimension = '' and m.day >= ${days[0]?.day}::date
      union
      select d.bucket, f.member_id
      from rolled_days d join fresh f on f.at >= d.starts and f.at < d.ends and f.generation > d.rolled
      union
      select width_bucket(e.at, ${bounds.map((point) => new Date(point))}::timestamptz[]), e.member_id
      from days d join analytics_events e on e.at >= d.starts and e.at < d.ends
      where not exists (select from rolled_days c where c.day = d.day) and e.member_id is not null and not e.bot
        and e.at < ${new Date(until)}
    ),
    first as (select member_id, min(bucket) as cohort from seen group by member_id)
    select f.cohort, s.bucket as period, count(*) as members
    from seen s join first f using (member_id) where f.cohort > 1 group by 1, 2`
}

const nextStart = (interval: 'day' | 'week' | 'month', day: Day): Day =>
  interval === 'month' ? addMonths(day, 1) : addDays(day, interval === 'week' ? 7 : 1)

function cohortStarts(
  interval: 'day' | 'week' | 'month',
  periods: number,
  zone: string,
  end: string | undefined,
  now: number,
): Day[] {
  const last =
    end === undefined ? dayAt(zone, now) : /^\d{4}-\d\d-\d\d$/.test(end) ? end : dayAt(zone, Date.parse(end))
  const start = interval === 'month' ? firstOfMonth(last) : interval === 'week' ? mondayOf(last) : last
  return Array.from({ length: periods }, (_, i) => {
    const back = periods - 1 - i
    return interval === 'month'
      ? addMonths(start, -back)
      : addDays(start, -back * (interval === 'week' ? 7 : 1))
  })
}
