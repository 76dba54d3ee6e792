import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { deleteExpired } from '#platform/jobs/schedules/housekeeping.ts'

/** Makes the days of attempts to come and drops those of more than 30 days ago. */
export const keepDays = defineSchedule({
  name: 'webhooks.keep-days',
  every: '7 * * * *',
  run: async ({ housekeeping }) => {
    await housekeeping.query('select app.keep_webhook_days()')
  },
})

/** Forgets deliveries and statistics of more than 30 days ago. */
export const forgetDeliveries = defineSchedule({
  name: 'webhooks.forget-deliveries',
  every: '37 * * * *',
  run: async (run) => {
    await deleteExpired('webhook_deliveries', run)
    await deleteExpired('webhook_stats', run)
  },
})
