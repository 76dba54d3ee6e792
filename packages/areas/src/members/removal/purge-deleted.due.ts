import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { erasePeople, findPeople } from './erase.ts'
import { listPurgeable, nextPurge, purgeMembers } from './queries.ts'

/**
 * Permanently deletes members that were deleted more than 30 days ago and can no longer be restored, with all their
 * data. Anonymized members stay, because other rows refer to them.
 */
export const purgeDeleted = defineDueWork({
  name: 'members.purge-deleted',
  next: async (ctx) => (await nextPurge(ctx)) ?? null,
  workOff: (run) =>
    run.write(async (ctx) => {
      const gone = await listPurgeable(ctx)
      const people = await findPeople(ctx, { ids: gone.map(({ id }) => id) })
      await erasePeople(ctx, run.deps.catalogue.memberData, people)
      // What areas hold on them is erased first.
      ctx.tx.askLast(purgeMembers({ ids: people.memberIds }))
    }),
})
