import { invalidParameters } from '#platform/errors.ts'
import { fromMinor } from '#platform/values/money.ts'
import type { DayRange, DayValue } from './queries.ts'
import type { DailyMetric, DailySeries } from './schema.ts'

const DAY_MS = 86_400_000
/** What is asked for without a first day: the last day and the 29 days before. */
const USUAL_DAYS = 30
/** One answer has no more days. */
export const MOST_DAYS = 366

const timeOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** So many days up to the last one. */
export const lastDays = (to: string, days: number): DayRange => ({
  from: dayOf(timeOf(to) - (days - 1) * DAY_MS),
  to,
})

/**
 * The days that are asked for.
 * @param today of the project
 * @throws ApiError 400 where they end before they begin, or are too many
 */
export function daysAsked(
  asked: { readonly start_date?: string | undefined; readonly end_date?: string | undefined },
  today: string,
): DayRange {
  const to = asked.end_date ?? today
  const from = asked.start_date ?? lastDays(to, USUAL_DAYS).from
  if (from > to)
    throw invalidParameters([{ field: 'end_date', rule: 'range', message: 'must not be before start_date' }])
  if (timeOf(to) - timeOf(from) >= MOST_DAYS * DAY_MS)
    throw invalidParameters([
      { field: 'start_date', rule: 'range', message: `must be within ${MOST_DAYS} days of end_date` },
    ])
  return { from, to }
}

/** All days of a range, the first one first. */
export function allDays({ from, to }: DayRange): string[] {
  const days: string[] = []
  for (let time = timeOf(from); time <= timeOf(to); time += DAY_MS) days.push(dayOf(time))
  return days
}

/** Series of every day of the range, of values of some of them. */
export function toSeries(metric: DailyMetric, range: DayRange, values: readonly DayValue[]): DailySeries[] {
  const isCount = metric === 'orders' || metric === 'sign_ups'
  const currencies = isCount ? [null] : [...new Set(values.map(({ currency }) => currency))].sort()
  return currencies.map((currency) => {
    const known = new Map(
      values.filter((each) => each.currency === currency).map((each) => [each.day, each.value]),
    )
    const show = (minor: number) => (currency === null ? minor : fromMinor(minor, currency))
    let sum = known.get(null) ?? 0
    const days = allDays(range).map((date) => {
      const value = known.get(date) ?? 0
      sum += value
      return { date, value: show(metric === 'mrr' ? sum : value) }
    })
    return { currency, total: show(sum), days }
  })
}
