import { forgetIdempotencyKeys } from '#platform/http/forget-idempotency-keys.schedule.ts'
import type { Background } from '#platform/jobs/background.ts'
import { deleteFinishedJobs, deleteOldEvents } from '#platform/jobs/housekeeping.ts'
import { forgetMails } from './mail/forget-mails.schedule.ts'
import { sendMailJob } from './mail/send-mail.job.ts'
import { purgeDeleted } from './members/purge-deleted.schedule.ts'
import { deliver } from './webhooks/deliver.drain.ts'
import { dueDeliveries } from './webhooks/due.sweep.ts'
import { fanOutToEndpoints } from './webhooks/fan-out.ts'
import { forgetDeliveries, keepDays } from './webhooks/housekeeping.ts'
import { recoverEndpoint } from './webhooks/recover-endpoint.job.ts'

/** Everything that areas do outside of requests, alphabetical. */
export const background: Background = {
  jobs: [recoverEndpoint, sendMailJob],
  drains: [deliver],
  fanOuts: [fanOutToEndpoints],
  sweeps: [dueDeliveries],
  schedules: [
    deleteFinishedJobs,
    deleteOldEvents,
    forgetDeliveries,
    forgetIdempotencyKeys,
    forgetMails,
    keepDays,
    purgeDeleted,
  ],
}
