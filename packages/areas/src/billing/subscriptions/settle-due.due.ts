import { defineDueWork, projectNow } from '#platform/jobs/schedules/due-work.ts'
import { apply, readBalances } from './apply.ts'
import { lockDueSubscriptions, nextDueSubscription } from './load-queries.ts'
import { type Decision, decide } from './machine/decide.ts'

const AT_ONCE = 100

/**
 * Works off ends of trials, periods and pauses, reminders and overdue bills. A subscription is moved under its lock, and
 * is not due any more then: exactly once, however late and by however many workers.
 */
export const settleDueSubscriptions = defineDueWork({
  name: 'billing.settle-subscriptions',
  next: nextDueSubscription,
  workOff: (run) =>
    run.inProject(async (ctx) => {
      const rows = await lockDueSubscriptions(ctx, AT_ONCE)
      if (rows.length === 0) return
      const now = Date.parse(await projectNow(ctx))
      const balanceOf = await readBalances(
        ctx,
        rows.map((row) => row.member_id),
      )
      const decisions = rows.flatMap((row): Decision[] => {
        // Nobody is charged after they are gone.
        const event = row.member_gone
          ? ({ type: 'override', reason: 'member_deleted' } as const)
          : ({ type: 'due' } as const)
        const decision = decide(row, event, { now, balanceOf })
        return decision === 'ignored' || 'refused' in decision ? [] : [decision]
      })
      await apply(ctx, decisions, now)
    }),
})
