import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'

const EVERY_MS = 24 * 60 * 60_000
/** Rows per statement, so that none holds many locks for long. */
const BATCH = 10_000

/** Deletes views and searches older than insights look back. The housekeeper's policies show it no others. */
export const forgetInsights = defineSchedule({
  name: 'help.forget-insights',
  every: EVERY_MS,
  run: async ({ housekeeping, signal }) => {
    for (const table of ['help_views', 'help_searches']) {
      let last: number
      do {
        const { rowCount } = await housekeeping.query(
          `delete from ${table} where ctid = any (array(
             select ctid from ${table} where day < current_date - 366 limit $1))`,
          [BATCH],
        )
        last = rowCount ?? 0
      } while (last === BATCH && !signal.aborted)
    }
  },
})
