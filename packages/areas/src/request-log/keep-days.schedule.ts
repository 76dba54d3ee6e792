import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'

/** Makes the days of the request log to come, and drops those that are older than a week. */
export const keepRequestDays = defineSchedule({
  name: 'request-log.keep-days',
  every: 3_600_000,
  run: async ({ housekeeping }) => {
    await housekeeping.query('select app.keep_request_days()')
  },
})
