import { sql } from 'kysely'
import { defineQuery, queryOnce } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { deleteExpired } from '#platform/jobs/schedules/housekeeping.ts'
import { startOfDay } from '../calendar.ts'
import { keyOfGoals } from '../goals/goal.ts'
import { allGoals } from '../goals/queries.ts'
import { firstKeptDay, RETENTION_MONTHS, readSettings } from '../settings.ts'

/** Makes the months to come, and drops those that no project keeps any more. */
export const keepMonths = defineSchedule({
  name: 'analytics.keep-months',
  every: '11 3 * * *',
  run: async ({ housekeeping }) => {
    await housekeeping.query(
      `select app.keep_analytics_months((select max(coalesce(s.analytics_retention_months, $1))
        from projects p left join analytics_settings s on s.project_id = p.id))`,
      [RETENTION_MONTHS],
    )
  },
})

/** Destroys the salts of days that are over: nobody can tell any more who a visitor was. */
export const destroySalts = defineSchedule({
  name: 'analytics.destroy-salts',
  every: 60_000,
  run: (run) => deleteExpired('analytics_salts', run),
})

/** Forgets the ids of events after 8 days. */
export const forgetEventIds = defineSchedule({
  name: 'analytics.forget-event-ids',
  every: '23 * * * *',
  run: (run) => deleteExpired('analytics_event_ids', run),
})

/** Events that one run deletes of a project; the rest has its turn at the next. */
const EVENTS_PER_RUN = 50_000

/** Deletes what a project no longer keeps. Reports leave it out before that. */
export const applyRetention = defineSchedule({
  name: 'analytics.apply-retention',
  every: '*/10 * * * *',
  run: (run) => run.inEachProject((ctx) => deleteOldDays(ctx, Date.now())),
})

export async function deleteOldDays(ctx: Context, now: number): Promise<void> {
  const settings = await readSettings(ctx)
  const first = firstKeptDay(settings, now)
  const until = new Date(startOfDay(settings.timezone, first))
  const run = (work: ReturnType<typeof sql>) => queryOnce('apply_retention', work)(ctx)
  for (const table of ['analytics_days', 'analytics_hours', 'analytics_values', 'analytics_members'])
    run(sql`delete from ${sql.table(table)} where day < ${first}::date`)
  run(sql`delete from analytics_events e using (
      select at, id from analytics_events where at < ${until} order by at limit ${EVENTS_PER_RUN}
    ) as old where e.at = old.at and e.id = old.id`)
}

const outdateFormer = defineQuery(
  'outdate_days',
  (v: { goals: string }) => sql`update analytics_days d set due_at = now()
    where d.due_at is null
      and (d.timezone is distinct from (select timezone from projects) or d.goals is distinct from ${v.goals})`,
)
const addNeighbours = defineQuery(
  'add_neighbouring_days',
  () => sql`insert into analytics_days (day, due_at)
    select distinct day + step, now() + interval '1 minute' from analytics_days, (values (-1), (1)) as s (step)
    where timezone <> (select timezone from projects) and day + step < now()::date - 1
    on conflict (project_id, day) do nothing`,
)

/**
 * Has days rolled up again that were rolled up in another zone, or for other goals. Until then reports count their
 * events.
 */
export const followSettings = defineSchedule({
  name: 'analytics.follow-settings',
  every: '*/5 * * * *',
  run: (run) => run.inEachProject(outdateDays),
})

export async function outdateDays(ctx: Context): Promise<void> {
  const goals = await allGoals(ctx)
  addNeighbours(ctx)
  outdateFormer(ctx, { goals: keyOfGoals(goals) })
}
