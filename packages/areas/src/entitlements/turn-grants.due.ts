import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { beginGrants, expireGrants, listDueMembers, lockMembers, nextDueGrant } from './queries.ts'
import { updatePlansAndAnnounce } from './service.ts'

const MEMBERS_AT_ONCE = 200

/**
 * Ends grants whose time is over and begins those whose time has come. A grant is turned under the lock of its member,
 * so that of two workers one finds nothing left.
 */
export const turnDueGrants = defineDueWork({
  name: 'entitlements.turn-grants',
  next: async (ctx) => (await nextDueGrant(ctx))?.due_at ?? null,
  workOff: (run) =>
    run.write(async (ctx) => {
      const found = await listDueMembers(ctx, { limit: MEMBERS_AT_ONCE })
      if (found.length === 0) return
      const ids = found.map(({ member_id }) => member_id)
      lockMembers(ctx, { ids })
      const ended = expireGrants(ctx, { ids })
      const begun = beginGrants(ctx, { ids })
      const turned = new Set([...(await ended), ...(await begun)].map(({ member_id }) => member_id))
      if (turned.size > 0) await updatePlansAndAnnounce(ctx, [...turned])
    }),
})
