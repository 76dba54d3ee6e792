import { type RawBuilder, sql } from 'kysely'
import { queryOnce } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { addDays, HOUR_MS, startOfDay } from '../calendar.ts'
import { keyOfGoals } from '../goals/goal.ts'
import { allGoals } from '../goals/queries.ts'
import { SETTINGS_OF_REPORTS } from '../reports/report.ts'
import { readSettings } from '../settings.ts'
import { type ClaimedDay, finishDay } from './claim.ts'
import { rollUp } from './roll-up-sql.ts'

/** Thrown where events were taken away while their day was rolled up: nothing of it is kept, and it is done again. */
export class DayChanged extends Error {
  override name = 'DayChanged'
}

/** So many events of a run, or more, make a day one that is rolled up every minute. */
const BUSY = 500
const PACES = { busy: '1 minute', quiet: '5 minutes' }

/**
 * Rolls a day up: adds the events since the last time, or counts all of them anew if the zone or the goals changed or
 * events were removed.
 * @param now in milliseconds
 * @throws DayChanged
 */
export async function rollUpDay(ctx: Context, claimed: ClaimedDay, now: number): Promise<void> {
  const goals = allGoals(ctx)
  const settings = await readSettings(ctx)
  const under = { timezone: settings.timezone, goals: keyOfGoals(await goals) }
  const grows = claimed.timezone === under.timezone && claimed.goals === under.goals
  const starts = startOfDay(under.timezone, claimed.day)
  const ends = startOfDay(under.timezone, addDays(claimed.day, 1))
  const points: Date[] = []
  for (let hour = starts; hour < ends; hour += HOUR_MS) points.push(new Date(hour))
  const run = <R>(work: RawBuilder<R>) => queryOnce('roll_up', work)(ctx)
  if (!grows)
    for (const table of ['analytics_hours', 'analytics_values', 'analytics_members'])
      run(sql<object>`delete from ${sql.table(table)} where day = ${claimed.day}::date`)
  run(SETTINGS_OF_REPORTS)
  const { day, bound } = claimed
  const range = { day, starts: new Date(starts), ends: new Date(ends), bound }
  run(rollUp({ ...range, goals: await goals, points, rolled: grows ? claimed.rolled : undefined }))
  const [came] = await run(freshHits(grows ? claimed.rolled : bound - 1, bound))
  const pace = (came?.events ?? 0) >= BUSY ? PACES.busy : PACES.quiet
  const finished = { day, token: claimed.token, bound, ...under, now: new Date(now), pace }
  if ((await finishDay(ctx, finished)) === undefined) throw new DayChanged(day)
}

/** How many events the project had from one generation to another: more than BUSY are not counted. */
const freshHits = (after: number, bound: number): RawBuilder<{ events: number }> => sql`
  select count(*) as events from (
    select from analytics_events where generation > ${after}::bigint and generation <= ${bound}::bigint limit ${BUSY}
  ) as fresh`
