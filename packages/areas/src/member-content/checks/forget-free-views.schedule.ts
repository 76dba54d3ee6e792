import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'

/** Views of the months before the last one: no check asks for them any more. */
const forget = defineQuery('forget_free_views', () =>
  query
    .deleteFrom('content_free_views')
    .where(
      'month',
      '<',
      sql<Date>`(date_trunc('month', ${now} at time zone 'UTC') - interval '1 month')::date`,
    ),
)

/** Removes the free views of months that are over. */
export const forgetViews = defineSchedule({
  name: 'member-content.forget-free-views',
  every: 24 * 3_600_000,
  run: (run) => run.inEachProject((ctx) => forget(ctx)),
})
