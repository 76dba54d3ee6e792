import { forgetIdempotencyKeys } from '#platform/http/forget-idempotency-keys.schedule.ts'
import type { Background } from '#platform/jobs/background.ts'
import { deleteFinishedJobs, deleteOldEvents } from '#platform/jobs/housekeeping.ts'
import { purgeDeleted } from './members/purge-deleted.schedule.ts'

/** Everything that areas do outside of requests, alphabetical. */
export const background: Background = {
  jobs: [],
  drains: [],
  fanOuts: [],
  sweeps: [],
  schedules: [deleteFinishedJobs, deleteOldEvents, forgetIdempotencyKeys, purgeDeleted],
}
