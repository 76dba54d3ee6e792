import { createSubscription } from '#areas/billing/subscriptions/service.ts'
import { createRule } from '#areas/member-content/rules/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'

/** Protects pages: for any member, for those of a plan, and for those with a feature, with some pages free. */
export async function seedRules(ctx: Context, planId: string): Promise<void> {
  await createRule(ctx, { url_pattern: '/members/**', redirect_url: '/login' })
  await createRule(ctx, { url_pattern: '/courses/**', required_plans: [planId], redirect_url: '/join' })
  await createRule(ctx, { url_pattern: '/patterns/*', features: ['patterns'], free_views: 3 })
}

/**
 * Subscribes one member to a plan with a trial, and another to one without: its first bill waits for money by hand.
 * @param members stored ids
 * @param plans public ids of the plan with the trial and of the other one
 */
export async function seedSubscriptions(
  ctx: Context,
  [one, other]: readonly [string, string],
  [withTrial, without]: readonly [string, string],
): Promise<void> {
  const subscribe = (memberId: string, plan: string, trial: boolean | undefined) =>
    createSubscription(ctx, { memberId, planId: parseId('plan', plan), trial, accountId: undefined })
  await subscribe(one, withTrial, true)
  await subscribe(other, without, undefined)
}
