import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { nextNotice, takeDueNotices } from './notice-queries.ts'
import { tellSubscriber } from './tell.ts'

const AT_ONCE = 100

/**
 * Tells members some days before a renewal. It is no move of the subscription: how many days is looked up when it is due,
 * so that a change of the setting counts at once. A renewal that a pause has put off is told of again, with its new date.
 */
export const noticeRenewals = defineDueWork({
  name: 'billing.notice-renewals',
  next: (ctx) => nextNotice(ctx).map((row) => row?.due_at ?? null),
  workOff: (run) =>
    run.write(async (ctx) => {
      for (const row of await takeDueNotices(ctx, { limit: AT_ONCE }))
        if (row.is_told)
          tellSubscriber(ctx, 'renewal_notice', {
            memberId: row.member_id,
            plan: { id: row.plan_id },
            next: { id: row.next_plan_id, version: row.next_plan_version },
            endsAt: row.period_end,
          })
    }),
})
