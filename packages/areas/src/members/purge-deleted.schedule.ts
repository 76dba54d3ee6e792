import { defineSchedule } from '#platform/jobs/define-schedule.ts'
import { purgeDeletedMembers } from './lifecycle-queries.ts'

/** Deletes for good what was deleted more than 30 days ago and can no longer be restored. */
export const purgeDeleted = defineSchedule({
  name: 'members.purge-deleted',
  every: 3_600_000,
  run: (run) => run.inEachProject((ctx) => purgeDeletedMembers(ctx)),
})
