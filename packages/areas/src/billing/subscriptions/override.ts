import type { Context } from '#platform/db/tenant.ts'
import { readBalances } from '../credit/ledger.ts'
import { apply } from './apply.ts'
import { decide } from './machine/decide.ts'
import type { Event } from './machine/state.ts'
import { findLiveOf, type HeldSubscription, lockSubscriptions } from './queries.ts'

/** Holds the running subscription of a member, before anything of the member is held. */
export async function holdSubscriptionOf(
  ctx: Context,
  memberId: string,
): Promise<HeldSubscription | undefined> {
  const live = await findLiveOf(ctx, { member_id: memberId })
  if (live === undefined) return undefined
  const [row] = await lockSubscriptions(ctx, [live.id])
  return row
}

/** Ends a subscription without credit, because somebody has decided what its member has. */
export const endSubscription = (ctx: Context, row: HeldSubscription, reason: string): Promise<void> =>
  tell(ctx, row, { type: 'override', reason })

/** Has a subscription that is held stand still, or go on, with its member. */
export const followMember = (
  ctx: Context,
  row: HeldSubscription,
  type: 'member_deleted' | 'member_restored',
): Promise<void> => tell(ctx, row, { type })

/** Tells a subscription that is held what happened. What it refuses changes nothing. */
export async function tell(ctx: Context, row: HeldSubscription, event: Event): Promise<void> {
  const decision = decide(row, event, await readBalances(ctx, [row.member_id]))
  if (decision === 'ignored' || 'refused' in decision) return
  await apply(ctx, [decision])
}
