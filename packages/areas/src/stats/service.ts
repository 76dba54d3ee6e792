import * as daily from './daily.ts'
import * as queries from './queries.ts'

// What other areas use of statistics.

/** The time zone of the project, and the day that it is there. */
export const getToday = queries.getToday
/** The values of days that have any, by metric. */
export const dailyValues = queries.dailyValues
/** So many days up to the last one. */
export const lastDays = daily.lastDays
/** All days of a range, the first one first. */
export const daysOfRange = daily.allDays
