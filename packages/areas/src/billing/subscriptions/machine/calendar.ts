/** Milliseconds of a day. */
export const DAY_MS = 86_400_000

export type Interval = 'month' | 'year'

/**
 * The moment so many intervals after an anchor, in UTC: 31 January, 28 February, 31 March. Counted from the anchor each
 * time, so that a short month shortens no later one.
 */
export function addIntervals(anchor: number, interval: Interval, count: number): number {
  const date = new Date(anchor)
  const months = date.getUTCMonth() + count * (interval === 'year' ? 12 : 1)
  const first = Date.UTC(date.getUTCFullYear(), months, 1)
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), months + 1, 0)).getUTCDate()
  const time = anchor - Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  return first + (Math.min(date.getUTCDate(), daysInMonth) - 1) * DAY_MS + time
}
