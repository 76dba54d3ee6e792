import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Day } from './calendar.ts'

const touchAll = defineQuery(
  'touch_days',
  (v: { days: readonly Day[]; due: readonly Date[] }) =>
    sql`select app.touch_analytics_days(${v.days}::date[], ${v.due}::timestamptz[])`,
)

/** An event of a day, and when it came. */
interface Arrived {
  readonly day: Day
  readonly received_at: Date
}

/** Says that events come to these days in this transaction. Called before they do. */
export function touchDays(ctx: Context, arrived: readonly Arrived[]): void {
  const days = new Map<Day, Date>()
  for (const { day, received_at } of arrived) {
    const known = days.get(day)
    if (known === undefined || received_at < known) days.set(day, received_at)
  }
  if (days.size > 0) touchAll(ctx, { days: [...days.keys()], due: [...days.values()] })
}
