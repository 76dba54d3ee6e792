import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { deleteExpired } from '#platform/jobs/schedules/housekeeping.ts'

/** Makes the days of the log to come, drops those that nobody can resume from, and forgets tickets of an hour ago. */
export const keepStreamDays = defineSchedule({
  name: 'stream.keep-days',
  every: '17 * * * *',
  run: async (run) => {
    await run.housekeeping.query('select app.keep_stream_days()')
    await deleteExpired('stream_tickets', run)
  },
})
