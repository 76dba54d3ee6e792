import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'

const EVERY_MS = 60 * 60_000
/** Rows per statement, so that none holds many locks for long. */
const BATCH = 10_000

/**
 * Ends mails that have been queued for three days, so that no code or link stays stored, and deletes mails older than
 * 30 days. The housekeeper's policies show it no others.
 */
export const forgetMails = defineSchedule({
  name: 'mail.forget-mails',
  every: EVERY_MS,
  run: async ({ housekeeping, signal, log }) => {
    const { rowCount: abandoned } = await housekeeping.query(
      `update mails set state = 'failed', error = 'abandoned', sealed_values = null, next_attempt_at = null,
         finished_at = now()
       where state = 'queued'`,
    )
    let last: number
    do {
      const { rowCount } = await housekeeping.query(
        `delete from mails where ctid = any (array(
           select ctid from mails where created_at < now() - interval '30 days' limit $1))`,
        [BATCH],
      )
      last = rowCount ?? 0
    } while (last === BATCH && !signal.aborted)
    if (abandoned) log.error({ abandoned }, 'mails were given up that nobody had tried to the end')
  },
})
