import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { readBalances } from '../credit/ledger.ts'
import { apply } from './apply.ts'
import { type Decision, decide } from './machine/decide.ts'
import type { Event } from './machine/state.ts'
import {
  lockDueSubscriptions,
  nextDueSubscription,
  type SubscriptionRow,
  storeSubscriptions,
} from './queries.ts'
import { toState, toStored } from './rows.ts'

const AT_ONCE = 100

/** Nobody is charged after they are gone. Members who were deleted before this paused subscriptions can be restored. */
function eventOf({ status, member_deleted, member_gone }: SubscriptionRow): Event {
  // Only bills are left.
  if (status === 'canceled') return { type: 'due' }
  if (member_deleted) return { type: 'member_deleted' }
  return member_gone ? { type: 'override', reason: 'member_deleted' } : { type: 'due' }
}

/**
 * Works off ends of trials, periods and pauses, reminders and overdue bills. A subscription is moved under its lock, and
 * is not due any more then: exactly once, however late and by however many workers.
 */
export const advanceDueSubscriptions = defineDueWork({
  name: 'billing.advance-subscriptions',
  next: async (ctx) => (await nextDueSubscription(ctx))?.due_at ?? null,
  workOff: (run) =>
    run.write(async (ctx) => {
      const rows = await lockDueSubscriptions(ctx, AT_ONCE)
      if (rows.length === 0) return
      const balanceOf = await readBalances(
        ctx,
        rows.map((row) => row.member_id),
      )
      const decisions = rows.flatMap((row): Decision[] => {
        const decision = decide(row, eventOf(row), balanceOf)
        return decision === 'ignored' || 'refused' in decision ? [] : [decision]
      })
      await apply(ctx, decisions)
      // A row that is due although nothing is to be done would be found again and again.
      const moved = new Set(decisions.map(({ row }) => row.id))
      const others = rows.filter(({ id }) => !moved.has(id))
      storeSubscriptions(
        ctx,
        others.map((row) => toStored(toState(row), row, Date.parse(row.now))),
      )
    }),
})
