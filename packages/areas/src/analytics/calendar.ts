import { LRUCache } from 'lru-cache'
import { Temporal } from 'temporal-polyfill'

/** A day of a calendar, as `2026-11-21`. */
export type Day = string

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

/** Days kept at the most, over all zones. */
const CAPACITY = 50_000
/** With `max`, a cache would reserve room for all of them now. */
const UP_TO_CAPACITY = { maxSize: CAPACITY, sizeCalculation: () => 1 }
const starts = new LRUCache<string, number>(UP_TO_CAPACITY)

/**
 * The first moment of a day in a zone, in milliseconds. It is not always midnight: where clocks go forward at midnight,
 * the day begins at one.
 */
export function startOfDay(zone: string, day: Day): number {
  const key = `${zone} ${day}`
  let start = starts.get(key)
  if (start === undefined) {
    start = Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds
    starts.set(key, start)
  }
  return start
}

const ends = new LRUCache<string, number>(UP_TO_CAPACITY)

/** The first moment after a day in a zone, in milliseconds. */
export function endOfDay(zone: string, day: Day): number {
  const key = `${zone} ${day}`
  let end = ends.get(key)
  if (end === undefined) {
    end = startOfDay(zone, addDays(day, 1))
    ends.set(key, end)
  }
  return end
}

/** The day that was asked for last: most events of a request, and of a moment, are of one day. */
let latest = { zone: '', day: '', start: 0, end: 0 }

/** The day that it is in a zone at a moment. */
export function dayAt(zone: string, time: number): Day {
  if (latest.zone === zone && time >= latest.start && time < latest.end) return latest.day
  // A day is never more than 14 hours away from that of UTC, and the days around are most likely known.
  const guess = new Date(time).toISOString().slice(0, 10)
  const day =
    time < startOfDay(zone, guess)
      ? addDays(guess, -1)
      : time >= endOfDay(zone, guess)
        ? addDays(guess, 1)
        : guess
  latest = { zone, day, start: startOfDay(zone, day), end: endOfDay(zone, day) }
  return day
}

/** The day so many days later, or earlier. */
export function addDays(day: Day, days: number): Day {
  const time = Date.parse(`${day}T00:00:00Z`) + days * 86_400_000
  return new Date(time).toISOString().slice(0, 10)
}

/** How many days lie between two. */
export const daysBetween = (first: Day, last: Day): number =>
  Math.round((Date.parse(`${last}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / 86_400_000)

/** The Monday of a day's week. */
export function mondayOf(day: Day): Day {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((weekday + 6) % 7))
}

/** The first day of a day's month. */
export const firstOfMonth = (day: Day): Day => `${day.slice(0, 7)}-01`

/** The first day of the month so many months later, or earlier. */
export function addMonths(day: Day, months: number): Day {
  const date = new Date(`${firstOfMonth(day)}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

/** The same day of the month so many months earlier, or the month's last. */
export const monthsBefore = (day: Day, months: number): Day =>
  Temporal.PlainDate.from(day).subtract({ months }).toString()
