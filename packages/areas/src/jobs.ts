import { forgetIdempotencyKeys } from '#platform/http/forget-idempotency-keys.schedule.ts'
import type { Background } from '#platform/jobs/background.ts'
import { deleteFinishedJobs, deleteOldEvents } from '#platform/jobs/housekeeping.ts'
import { forgetTokens } from './auth/forget-tokens.schedule.ts'
import { rotateSigningKeys } from './auth/rotate-signing-key.schedule.ts'
import { sendInvitation } from './auth/send-invitation.job.ts'
import { sendTokenMail } from './auth/send-token-mail.job.ts'
import { expireExports } from './exports/expire-exports.schedule.ts'
import { removeExportObjectsJob } from './exports/remove-objects.job.ts'
import { exportSubmissionsJob } from './forms/export-submissions.job.ts'
import { removeFormJob } from './forms/remove-form.job.ts'
import { forgetMails } from './mail/forget-mails.schedule.ts'
import { sendMailJob } from './mail/send-mail.job.ts'
import { exportDataJob } from './members/data-export/export-data.job.ts'
import { forgetImports } from './members/imports/forget-imports.schedule.ts'
import { removeImportFileJob } from './members/imports/remove-import-file.job.ts'
import { runImportJob } from './members/imports/run-import.job.ts'
import { purgeDeleted } from './members/purge-deleted.schedule.ts'
import { reconcileFiles } from './storage/reconcile-files.schedule.ts'
import { removeObjectsJob } from './storage/remove-objects.job.ts'
import { settleFileJob } from './storage/settle-file.job.ts'
import { deliver } from './webhooks/deliver.drain.ts'
import { dueDeliveries } from './webhooks/due.sweep.ts'
import { fanOutToEndpoints } from './webhooks/fan-out.ts'
import { forgetDeliveries, keepDays } from './webhooks/housekeeping.ts'
import { recoverEndpoint } from './webhooks/recover-endpoint.job.ts'

/** Everything that areas do outside of requests, alphabetical. */
export const background: Background = {
  jobs: [
    exportDataJob,
    exportSubmissionsJob,
    recoverEndpoint,
    removeExportObjectsJob,
    removeFormJob,
    removeImportFileJob,
    removeObjectsJob,
    runImportJob,
    sendInvitation,
    sendMailJob,
    sendTokenMail,
    settleFileJob,
  ],
  drains: [deliver],
  fanOuts: [fanOutToEndpoints],
  sweeps: [dueDeliveries],
  schedules: [
    deleteFinishedJobs,
    deleteOldEvents,
    expireExports,
    forgetDeliveries,
    forgetIdempotencyKeys,
    forgetImports,
    forgetMails,
    forgetTokens,
    keepDays,
    purgeDeleted,
    reconcileFiles,
    rotateSigningKeys,
  ],
}
