import { sql } from 'kysely'
import { query, type Statement, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Day } from './calendar.ts'

const touch: Statement<{ days: readonly Day[]; due: readonly Date[] }, object> = statement(
  'touch_days',
  (v: { days: readonly Day[]; due: readonly Date[] }) => ({
    compile: () =>
      sql<object>`select app.touch_analytics_days(${v.days}::date[], ${v.due}::timestamptz[])`.compile(query),
  }),
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
  if (days.size > 0) ctx.tx.run(touch, { days: [...days.keys()], due: [...days.values()] })
}
