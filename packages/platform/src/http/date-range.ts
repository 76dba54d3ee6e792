const DAY_MS = 86_400_000
const DAY = /^\d{4}-\d\d-\d\d$/
/** RFC 3339 with its offset, so that it means the same everywhere. */
const TIMESTAMP = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/
/** Nothing is older than this, and PostgreSQL writes earlier years differently from ISO 8601. Milliseconds since 1970. */
export const EARLIEST = Date.parse('1000-01-01')

/** A date, at its beginning in UTC, or a timestamp, in milliseconds; undefined for any other text. */
function parseMoment(text: string): number | undefined {
  if (!DAY.test(text) && !TIMESTAMP.test(text)) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time) || time < EARLIEST) return undefined
  // `Date` reads the 30th of February as the 2nd of March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  return day.toISOString().slice(0, 10) === text.slice(0, 10) ? time : undefined
}

/** Whether a text is what `start_date` and `end_date` take. */
export const isMoment = (text: string): boolean => parseMoment(text) !== undefined

/** From the first moment up to, and without, the second; null: without that bound. */
export interface DateRange {
  readonly from: Date | null
  readonly until: Date | null
}

/** What `start_date` and `end_date` mean: both are included, of an `end_date` given as a date the whole day. */
export function dateRange(query: {
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}): DateRange {
  const { start_date = '', end_date = '' } = query
  const from = parseMoment(start_date)
  const last = parseMoment(end_date)
  return {
    from: from === undefined ? null : new Date(from),
    // Timestamps that clients see end at the millisecond.
    until: last === undefined ? null : new Date(last + (DAY.test(end_date) ? DAY_MS : 1)),
  }
}
