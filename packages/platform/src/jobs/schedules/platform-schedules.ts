import { forgetIdempotencyKeys } from '../../http/idempotency/delete-expired-keys.schedule.ts'
import { rotateSigningKeys } from '../../tokens/rotate-signing-key.schedule.ts'
import type { Schedule } from './define-schedule.ts'
import { analyzeGrownTables, deleteFinishedJobs, deleteOldEvents } from './housekeeping.ts'

/** The schedules of what belongs to no area. */
export const platformSchedules: readonly Schedule[] = [
  analyzeGrownTables,
  deleteFinishedJobs,
  deleteOldEvents,
  forgetIdempotencyKeys,
  rotateSigningKeys,
]
