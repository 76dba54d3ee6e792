import type { Context } from '#platform/db/tenant.ts'
import { readBalances } from '../credit/ledger.ts'
import { apply } from './apply.ts'
import { decide } from './machine/decide.ts'
import type { Event } from './machine/state.ts'
import { findLiveOf, type LockedSubscription, lockSubscriptions } from './queries.ts'

/** Locks the running subscription of a member; call it before anything else of the member is locked. */
export async function lockSubscriptionOf(
  ctx: Context,
  memberId: string,
): Promise<LockedSubscription | undefined> {
  const live = await findLiveOf(ctx, { member_id: memberId })
  if (live === undefined) return undefined
  const [row] = await lockSubscriptions(ctx, [live.id])
  return row
}

/** Ends a subscription without credit, because somebody has decided what its member has. */
export const endSubscription = (ctx: Context, row: LockedSubscription, reason: string): Promise<void> =>
  applyEvent(ctx, row, { type: 'override', reason })

/** Has a subscription that is locked stand still, or go on, with its member. */
export const followMember = (
  ctx: Context,
  row: LockedSubscription,
  type: 'member_deleted' | 'member_restored',
): Promise<void> => applyEvent(ctx, row, { type })

/** Applies an event to a subscription that is locked. What it refuses changes nothing. */
export async function applyEvent(ctx: Context, row: LockedSubscription, event: Event): Promise<void> {
  const decision = decide(row, event, await readBalances(ctx, [row.member_id]))
  if (decision === 'ignored' || 'refused' in decision) return
  await apply(ctx, [decision])
}
