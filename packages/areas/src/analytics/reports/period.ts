import type { ApiError, FieldFault } from '#platform/errors.ts'
import {
  addDays,
  addMonths,
  type Day,
  dayAt,
  daysBetween,
  firstOfMonth,
  HOUR_MS,
  mondayOf,
  startOfDay,
} from '../calendar.ts'
import type { ReportDay } from './report-sql.ts'

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** A range of time in a zone. */
export interface Period {
  readonly zone: string
  /** In milliseconds; up to and without `until`. */
  readonly from: number
  readonly until: number
}

const DATE = /^\d{4}-\d\d-\d\d$/
/** What is asked for without dates: today and the 29 days before. */
const USUAL_DAYS = 30
/** A report looks at no more days, and a series has no more points. */
export const MOST_DAYS = 1_830
export const MOST_POINTS = 2_000

/**
 * What `start_date` and `end_date` mean in a zone: of an `end_date` given as a date the whole day.
 * @param fail makes the error of a fault
 * @throws what `fail` makes of a range that ends before it begins, or is longer than five years
 */
export function periodOf(
  zone: string,
  { start_date, end_date }: { start_date?: string | undefined; end_date?: string | undefined },
  now: number,
  fail: (faults: readonly FieldFault[]) => ApiError,
): Period {
  const until =
    end_date === undefined
      ? startOfDay(zone, addDays(dayAt(zone, now), 1))
      : DATE.test(end_date)
        ? startOfDay(zone, addDays(end_date, 1))
        : Date.parse(end_date) + 1
  const from =
    start_date === undefined
      ? startOfDay(zone, addDays(dayAt(zone, until - 1), 1 - USUAL_DAYS))
      : DATE.test(start_date)
        ? startOfDay(zone, start_date)
        : Date.parse(start_date)
  if (from >= until)
    throw fail([{ field: 'end_date', rule: 'range', message: 'must not be before start_date' }])
  if (until - from > MOST_DAYS * 24 * HOUR_MS)
    throw fail([{ field: 'start_date', rule: 'range', message: 'must be within five years of end_date' }])
  return { zone, from, until }
}

/** The period of the same length before: as many days where it is made of whole days, and as much time otherwise. */
export function previousOf({ zone, from, until }: Period): Period {
  const first = dayAt(zone, from)
  const end = dayAt(zone, until)
  if (startOfDay(zone, first) !== from || startOfDay(zone, end) !== until)
    return { zone, from: from - (until - from), until: from }
  return { zone, from: startOfDay(zone, addDays(first, -daysBetween(first, end))), until: from }
}

/**
 * Where the buckets of a series begin: the first at or before the period, so that a week is always a Monday's.
 * @throws what `fail` makes of more points than a series can have
 */
export function pointsOf(
  { zone, from, until }: Period,
  interval: Interval,
  fail: (faults: readonly FieldFault[]) => ApiError,
): number[] {
  const points: number[] = []
  const add = (point: number) => {
    if (point < until) points.push(point)
    if (points.length > MOST_POINTS)
      throw fail([
        {
          field: 'interval',
          rule: 'points',
          message: `makes more than ${MOST_POINTS} points in this range: choose a longer interval or a shorter range`,
        },
      ])
  }
  const step = (day: Day): Day =>
    interval === 'month' ? addMonths(day, 1) : addDays(day, interval === 'week' ? 7 : 1)
  const today = dayAt(zone, from)
  let day = interval === 'month' ? firstOfMonth(today) : interval === 'week' ? mondayOf(today) : today
  for (; startOfDay(zone, day) < until; day = step(day)) {
    const start = startOfDay(zone, day)
    if (interval !== 'hour') {
      add(start)
      continue
    }
    // Hours are counted from the beginning of the day, which where clocks change has 23 of them, or 25.
    const end = startOfDay(zone, addDays(day, 1))
    for (let hour = start; hour < end; hour += HOUR_MS) if (hour + HOUR_MS > from) add(hour)
  }
  return points
}

/**
 * The days of the project that a period touches.
 * @param points of the series; without them all is one bucket
 */
export function reportDays(
  projectZone: string,
  { from, until }: Period,
  points: readonly number[] | undefined,
  byHour: boolean,
): ReportDay[] {
  const days: ReportDay[] = []
  for (let day = dayAt(projectZone, from); startOfDay(projectZone, day) < until; day = addDays(day, 1)) {
    const starts = startOfDay(projectZone, day)
    const ends = startOfDay(projectZone, addDays(day, 1))
    const isWhole = starts >= from && ends <= until
    const bucket = !isWhole ? 0 : points === undefined ? 1 : byHour ? 1 : bucketOf(points, starts, ends)
    days.push({ day, starts: new Date(starts), ends: new Date(ends), bucket })
  }
  return days
}

/** The place, from 1, of the bucket that a day lies in; 0 where it lies in several. */
function bucketOf(points: readonly number[], starts: number, ends: number): number {
  const first = lastAtOrBefore(points, starts)
  return first === lastAtOrBefore(points, ends - 1) ? first : 0
}

function lastAtOrBefore(points: readonly number[], time: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((points[middle] as number) <= time) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether all points are whole hours after the beginning of each of the project's days. */
export const areProjectHours = (projectZone: string, { zone, from, until }: Period): boolean => {
  if (projectZone === zone) return true
  for (let day = dayAt(projectZone, from); startOfDay(projectZone, day) < until; day = addDays(day, 1)) {
    const start = startOfDay(projectZone, day)
    // Compared at both ends, because either zone may change its clocks on that day.
    for (const time of [start, startOfDay(projectZone, addDays(day, 1))])
      if ((time - startOfDay(zone, dayAt(zone, time))) % HOUR_MS !== 0) return false
  }
  return true
}
