import { sql } from 'kysely'
import { query, type Statement, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { addDays, type Day, HOUR_MS, MINUTE_MS, startOfDay } from './calendar.ts'

/** A day is rolled up for the first time so long after its end: by then hardly anything is under way. */
const AFTER_END_MS = HOUR_MS + 5 * MINUTE_MS
/** What comes late is rolled up together with what comes after it. */
const AFTER_CHANGE_MS = 10 * MINUTE_MS

/** When a day that changes now may be rolled up. */
export const dueAfter = (zone: string, day: Day, now: number): Date =>
  new Date(Math.max(startOfDay(zone, addDays(day, 1)) + AFTER_END_MS, now + AFTER_CHANGE_MS))

/** A day that has changed. */
export interface TouchedDay {
  readonly day: Day
  readonly due_at: Date
}

const touch: Statement<{ days: readonly Day[]; due: readonly Date[] }, object> = statement(
  'touch_days',
  (v: { days: readonly Day[]; due: readonly Date[] }) => ({
    compile: () =>
      sql<object>`select app.touch_analytics_days(${v.days}::date[], ${v.due}::timestamptz[])`.compile(query),
  }),
)

/** Says that events of these days come or go in this transaction. Called before they do. */
export function touchDays(ctx: Context, touched: readonly TouchedDay[]): void {
  const days = new Map<Day, Date>()
  for (const { day, due_at } of touched) {
    const known = days.get(day)
    if (known === undefined || due_at < known) days.set(day, due_at)
  }
  if (days.size > 0) ctx.tx.run(touch, { days: [...days.keys()], due: [...days.values()] })
}
