import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { listDueMembers, lockMembers, nextDueGrant, turnGrants } from './queries.ts'
import { settleAndAnnounce } from './service.ts'

const MEMBERS_AT_ONCE = 200

/**
 * Ends grants whose time is over and begins those whose time has come. A grant is turned under the lock of its member,
 * so that of two workers one finds nothing left.
 */
export const turnDueGrants = defineDueWork({
  name: 'entitlements.turn-grants',
  next: nextDueGrant,
  workOff: (run) =>
    run.inProject(async (ctx) => {
      const found = await listDueMembers(ctx, MEMBERS_AT_ONCE)
      if (found.length === 0) return
      const ids = found.map(({ member_id }) => member_id)
      await lockMembers(ctx, ids)
      const turned = await turnGrants(ctx, ids)
      if (turned.length > 0) await settleAndAnnounce(ctx, turned)
    }),
})
