import { forgetIdempotencyKeys } from '#platform/http/idempotency/delete-expired-keys.schedule.ts'
import type { Background } from '#platform/jobs/background.ts'
import { findDueWork, workOffDue } from '#platform/jobs/due-work.ts'
import { deleteFinishedJobs, deleteOldEvents } from '#platform/jobs/housekeeping.ts'
import { sendInvitation } from './auth/invitations/send-invitation.job.ts'
import { sendTokenMail } from './auth/mail-links/send-token-mail.job.ts'
import { forgetTokens } from './auth/tokens/delete-expired-tokens.schedule.ts'
import { rotateSigningKeys } from './auth/tokens/rotate-signing-key.schedule.ts'
import { dueWork } from './due-work.ts'
import { expireExports } from './exports/expire-exports.schedule.ts'
import { removeExportObjectsJob } from './exports/remove-objects.job.ts'
import { notifyVoters } from './feedback/status/notify-voters.job.ts'
import { removeFormJob } from './forms/builder/remove-form.job.ts'
import { exportSubmissionsJob } from './forms/exports/export-submissions.job.ts'
import { forgetMails } from './mail/forget-mails.schedule.ts'
import { sendMailJob } from './mail/send-mail.job.ts'
import { forgetViews } from './member-content/checks/forget-free-views.schedule.ts'
import { exportDataJob } from './members/data-export/export-data.job.ts'
import { forgetImports } from './members/imports/forget-imports.schedule.ts'
import { removeImportFileJob } from './members/imports/remove-import-file.job.ts'
import { runImportJob } from './members/imports/run-import.job.ts'
import { purgeDeleted } from './members/purge-deleted.schedule.ts'
import { reconcileFiles } from './storage/cleanup/reconcile-files.schedule.ts'
import { removeObjectsJob } from './storage/cleanup/remove-objects.job.ts'
import { settleFileJob } from './storage/cleanup/settle-file.job.ts'
import { deliver } from './webhooks/delivery/deliver.consumer.ts'
import { dueDeliveries } from './webhooks/delivery/due.sweep.ts'
import { fanOutToEndpoints } from './webhooks/delivery/fan-out.ts'
import { forgetDeliveries, keepDays } from './webhooks/delivery/housekeeping.ts'
import { recoverEndpoint } from './webhooks/endpoints/recover-endpoint.job.ts'

/** Everything that areas do outside of requests, alphabetical. */
export const background: Background = {
  jobs: [
    exportDataJob,
    exportSubmissionsJob,
    notifyVoters,
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
    workOffDue(dueWork),
  ],
  consumers: [deliver],
  fanOuts: [fanOutToEndpoints],
  sweeps: [dueDeliveries],
  schedules: [
    deleteFinishedJobs,
    deleteOldEvents,
    expireExports,
    findDueWork(dueWork),
    forgetDeliveries,
    forgetIdempotencyKeys,
    forgetImports,
    forgetMails,
    forgetTokens,
    forgetViews,
    keepDays,
    purgeDeleted,
    reconcileFiles,
    rotateSigningKeys,
  ],
}
