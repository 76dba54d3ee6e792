import { type RawBuilder, sql } from 'kysely'
import { passing, query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { addDays, HOUR_MS, startOfDay } from '../calendar.ts'
import { keyOfGoals } from '../goals/goal.ts'
import { allGoals } from '../goals/queries.ts'
import { EVENT_DIMENSIONS } from '../reports/dimensions.ts'
import { SETTINGS_OF_REPORTS } from '../reports/report.ts'
import { readSettings } from '../settings.ts'
import { type ClaimedDay, finishDay } from './claim.ts'
import { rollUpEvents, rollUpHours, rollUpTotals, rollUpVisits } from './roll-up-sql.ts'

/** Thrown where events came while their day was rolled up: nothing of it is kept, and it is done again later. */
export class DayChanged extends Error {
  override name = 'DayChanged'
}

/**
 * Rolls a day up, in place of what was there: doing it again gives the same.
 * @param now in milliseconds
 * @throws DayChanged
 */
export async function rollUpDay(ctx: Context, claimed: ClaimedDay, now: number): Promise<void> {
  const [settings, goals] = await readSettings(ctx).and(allGoals(ctx))
  const zone = settings.timezone
  const starts = startOfDay(zone, claimed.day)
  const ends = startOfDay(zone, addDays(claimed.day, 1))
  const day = { day: claimed.day, starts: new Date(starts), ends: new Date(ends), goals }
  const points: Date[] = []
  for (let hour = starts; hour < ends; hour += HOUR_MS) points.push(new Date(hour))
  const run = (work: RawBuilder<object>) =>
    ctx.tx.run(passing<object>('roll_up', { compile: () => work.compile(query) }), {})
  run(SETTINGS_OF_REPORTS)
  for (const table of ['analytics_hours', 'analytics_values', 'analytics_members'])
    run(sql<object>`delete from ${sql.table(table)} where day = ${day.day}::date`)
  await run(rollUpTotals(day))
  await run(rollUpHours(day, points))
  await run(rollUpVisits(day))
  for (const dimension of EVENT_DIMENSIONS) await run(rollUpEvents(day, dimension))
  const under = { timezone: zone, goals: keyOfGoals(goals), now: new Date(now) }
  if ((await finishDay(ctx, claimed, under)) === undefined) throw new DayChanged(claimed.day)
}
