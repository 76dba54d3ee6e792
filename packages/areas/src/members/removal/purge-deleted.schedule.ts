import type { PersonalData } from '#platform/catalogue/personal-data.ts'
import type { Context } from '#platform/db/tenant.ts'
import { defineSchedule } from '#platform/jobs/schedules/define-schedule.ts'
import { erasePeople, findPeople } from './erase.ts'
import { listPurgeable, purgeMembers } from './lifecycle-queries.ts'

/**
 * Permanently deletes members that were deleted more than 30 days ago and can no longer be restored, with all their
 * data. Anonymized members stay, because other rows refer to them.
 */
export const purgeDeleted = defineSchedule({
  name: 'members.purge-deleted',
  every: 3_600_000,
  run: (run) => run.inEachProject((ctx) => purge(ctx, run.deps.catalogue.memberData)),
})

async function purge(ctx: Context, memberData: readonly PersonalData[]): Promise<void> {
  const gone = await listPurgeable(ctx)
  if (gone.length === 0) return
  const people = await findPeople(
    ctx,
    gone.map(({ id }) => id),
  )
  await erasePeople(ctx, memberData, people)
  purgeMembers(ctx, people.memberIds)
}
