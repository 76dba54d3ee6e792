import { lockLiveMember } from '#areas/entitlements/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { ErrorType } from '#platform/define-error.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { newUuid } from '#platform/ids.ts'
import { projectNow } from '#platform/jobs/schedules/due-work.ts'
import { getBill } from '../bills/queries.ts'
import { toBill } from '../bills/rows.ts'
import { readBalances } from '../credit/ledger.ts'
import {
  billOpen,
  memberDeleted,
  nothingToResume,
  periodEndOnly,
  planNotRecurring,
  previewExpired,
  samePlan,
  subscriptionIsCanceled,
  subscriptionIsIncomplete,
  subscriptionIsNotActive,
  subscriptionIsPastDue,
  subscriptionIsPaused,
  trialUsed,
} from '../errors.ts'
import { accountFor, findAccount } from '../payments/accounts.ts'
import { apply } from './apply.ts'
import { begin } from './begin.ts'
import { type Decision, decide, toDecision } from './machine/decide.ts'
import type { PricedPlan } from './machine/prices.ts'
import type { Event, RefusalCode } from './machine/state.ts'
import {
  findPlanToBuy,
  findPreview,
  findTrial,
  getPricedVersion,
  type LockedSubscription,
  lockSubscriptions,
  type SubscriptionRow,
  toSubscription,
} from './queries.ts'
import type { SubscriptionWithBill } from './schema.ts'

/** What a refusal of the state machine means to a client. */
const REFUSALS: Readonly<Record<RefusalCode, ErrorType>> = {
  SUBSCRIPTION_CANCELED: subscriptionIsCanceled,
  SUBSCRIPTION_INCOMPLETE: subscriptionIsIncomplete,
  SUBSCRIPTION_PAUSED: subscriptionIsPaused,
  SUBSCRIPTION_PAST_DUE: subscriptionIsPastDue,
  SUBSCRIPTION_NOT_ACTIVE: subscriptionIsNotActive,
  NOTHING_TO_RESUME: nothingToResume,
  BILL_OPEN: billOpen,
  MEMBER_DELETED: memberDeleted,
  SAME_PLAN: samePlan,
  PERIOD_END_ONLY: periodEndOnly,
}

/** The error of a refusal. */
export const refusal = (code: RefusalCode): ErrorType => REFUSALS[code]

/** 422 for a plan that cannot be subscribed to. */
export const noPlan = () => invalidField('plan_id', 'exists', 'is not an active plan of this project')

/** A plan that can be paid for again and again, at its present price. @throws ApiError 422 */
async function getPlanToBuy(ctx: Context, id: string | undefined) {
  const found = id === undefined ? undefined : await findPlanToBuy(ctx, { id })
  if (found === undefined) throw noPlan()
  if (found.interval !== 'month' && found.interval !== 'year') throw planNotRecurring()
  return { plan: found.plan, trialDays: found.trial_days }
}

export interface NewSubscriptionRequest {
  readonly memberId: string
  readonly planId: string | undefined
  readonly trial: boolean | undefined
  readonly accountId: string | undefined
}

/** @throws ApiError 422 ALREADY_SUBSCRIBED, TRIAL_USED, PLAN_NOT_RECURRING, MEMBER_NOT_FOUND or VALIDATION_ERROR */
export async function createSubscription(
  ctx: Context,
  { memberId, planId, trial, accountId: named }: NewSubscriptionRequest,
): Promise<SubscriptionWithBill> {
  if (!(await lockLiveMember(ctx, { id: memberId })))
    throw invalidField('member_id', 'exists', 'is not a member of this project')
  const { plan, trialDays } = await getPlanToBuy(ctx, planId)
  const accountId = await accountFor(ctx, named)
  const account = accountId === null ? undefined : await findAccount(ctx, { id: accountId })
  const hadTrial = (await findTrial(ctx, { member_id: memberId, plan_id: plan.id })) !== undefined
  if (trial === true && (hadTrial || trialDays === 0)) throw trialUsed()
  const now = Date.parse(await projectNow(ctx))
  const provider = account === undefined || account.provider === 'manual' ? null : account.provider
  const begun = begin(plan, { now, provider, trialDays: trial === false || hadTrial ? 0 : trialDays })
  const row = {
    id: newUuid(),
    member_id: memberId,
    account_id: accountId,
    provider,
    email: null,
    full_name: null,
    member_gone: false,
  }
  const balanceOf = await readBalances(ctx, [memberId])
  const before = { fromStatus: null, event: undefined, plan: undefined }
  return write(ctx, toDecision(row, before, begun, { now, balanceOf }))
}

async function write(ctx: Context, decision: Decision): Promise<SubscriptionWithBill> {
  const [row] = await apply(ctx, [decision])
  const bill = decision.bill === undefined ? null : toBill(await getBill(ctx, decision.bill.bill), [])
  return { ...toSubscription(row as SubscriptionRow), bill }
}

/** Reads a subscription that is to move, and holds it. @throws ApiError 404 */
export async function lockSubscription(ctx: Context, id: string): Promise<LockedSubscription> {
  const [row] = await lockSubscriptions(ctx, [id])
  if (row === undefined) throw notFound('Subscription')
  return row
}

/**
 * Moves a subscription that is locked. What does not matter any more changes nothing.
 * @param promised the amount that a preview showed
 * @throws ApiError 422 with the refusal of the state machine, or PREVIEW_EXPIRED where it would charge something else
 */
export async function move(
  ctx: Context,
  row: LockedSubscription,
  event: Event,
  promised?: number,
): Promise<SubscriptionWithBill> {
  const balanceOf = await readBalances(ctx, [row.member_id])
  const decision = decide(row, event, balanceOf)
  if (decision === 'ignored') return { ...toSubscription(row), bill: null }
  if ('refused' in decision) throw refusal(decision.refused)()
  if (promised !== undefined && (decision.bill?.bill.total_minor ?? 0) !== promised) throw previewExpired()
  return write(ctx, decision)
}

export interface ChangeRequest {
  readonly planId: string | undefined
  readonly when: 'now' | 'period_end' | undefined
}

type Change = Extract<Event, { type: 'change' }>

/** The days of the trial that a member has not used of a plan. */
async function trialDaysLeft(ctx: Context, memberId: string, { id }: PricedPlan): Promise<number> {
  const found = await findPlanToBuy(ctx, { id })
  const days = found?.trial_days ?? 0
  return days > 0 && (await findTrial(ctx, { member_id: memberId, plan_id: id })) === undefined ? days : 0
}

/** The plan and the moment of a change: an upgrade now, anything else at the end of the period. @throws ApiError 422 */
export async function readChange(
  ctx: Context,
  row: SubscriptionRow,
  { planId, when }: ChangeRequest,
): Promise<Change> {
  const { plan } = planId === row.plan.id ? { plan: row.plan } : await getPlanToBuy(ctx, planId)
  const sameTerms =
    plan.currency === row.plan.currency &&
    plan.interval === row.plan.interval &&
    plan.intervalCount === row.plan.intervalCount
  const isUpgrade = plan.rank > row.plan.rank && (sameTerms || row.status === 'trialing')
  const at = when ?? (isUpgrade ? 'now' : 'period_end')
  return { type: 'change', plan, at, trialDays: await trialDaysLeft(ctx, row.member_id, plan) }
}

/**
 * Changes the plan. With a preview exactly its amount is charged.
 * @throws ApiError 422 PREVIEW_EXPIRED where anything that the amount depends on has changed
 */
export async function changeSubscription(
  ctx: Context,
  id: string,
  request: ChangeRequest & { readonly previewId: string | null | undefined },
): Promise<SubscriptionWithBill> {
  const row = await lockSubscription(ctx, id)
  const { previewId } = request
  if (previewId === undefined) {
    return move(ctx, row, await readChange(ctx, row, request))
  }
  const preview =
    previewId === null ? undefined : await findPreview(ctx, { id: previewId, subscription_id: id })
  if (preview === undefined || preview.revision !== row.revision) throw previewExpired()
  const when = preview.at_period_end ? 'period_end' : 'now'
  if (preview.plan_id !== request.planId || (request.when ?? when) !== when) throw previewExpired()
  const plan: PricedPlan = await getPricedVersion(ctx, { id: preview.plan_id, version: preview.plan_version })
  const trialDays = await trialDaysLeft(ctx, row.member_id, plan)
  const event: Event = { type: 'change', plan, at: when, trialDays, pricedAt: Date.parse(preview.priced_at) }
  return move(ctx, row, event, preview.amount_minor)
}
