import { sql } from 'kysely'
import type { Static } from 'typebox'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { type BalanceOf, readBalances } from '../../credit/ledger.ts'
import { samePlan } from '../../errors.ts'
import { previewId } from '../../ids.ts'
import { planAfter } from '../machine/change.ts'
import { type DraftBill, decide } from '../machine/decide.ts'
import type { PricedPlan } from '../machine/prices.ts'
import type { State } from '../machine/state.ts'
import type { Preview } from '../schema.ts'
import { type ChangeRequest, lockSubscription, readChange, refusal } from '../service.ts'
import { toPreviewLines, upcomingBill } from './upcoming.ts'

interface NewPreview {
  id: string
  subscription_id: string
  revision: number
  plan_id: string
  plan_version: number
  at_period_end: boolean
  amount_minor: number
  priced_at: string
}
const insertPreview = defineQuery('insert_preview', (v: NewPreview) =>
  query
    .insertInto('subscription_previews')
    .values({
      ...pick(v, 'id', 'subscription_id', 'revision', 'plan_id', 'plan_version', 'at_period_end'),
      ...pick(v, 'amount_minor', 'priced_at'),
      expires_at: sql`${v.priced_at}::timestamptz + interval '15 minutes'`,
    })
    .returning('expires_at'),
).single()

/** Nobody can use them any more. */
const forgetPreviews = defineQuery('forget_previews', () =>
  query.deleteFrom('subscription_previews').where('expires_at', '<', now),
)

/**
 * Works a change out and writes nothing of it but the promise: a change with this preview charges its amount.
 * @throws ApiError 422 where the change would be refused
 */
export async function previewChange(
  ctx: Context,
  id: string,
  request: ChangeRequest,
): Promise<Static<typeof Preview>> {
  const row = await lockSubscription(ctx, id)
  const event = await readChange(ctx, row, request)
  const { plan, at } = event
  const balanceOf = await readBalances(ctx, [row.member_id])
  const decision = decide(row, event, balanceOf)
  if (decision === 'ignored') throw samePlan()
  if ('refused' in decision) throw refusal(decision.refused)()
  const { bill, planMove, state } = decision
  const amount = bill?.bill.total_minor ?? 0
  const newId = newUuid()
  forgetPreviews(ctx)
  const { expires_at } = await insertPreview(ctx, {
    id: newId,
    subscription_id: id,
    revision: row.revision,
    plan_id: plan.id,
    plan_version: plan.version,
    at_period_end: at === 'period_end',
    amount_minor: amount,
    priced_at: row.now,
  })
  return {
    preview_id: toId(previewId, newId),
    plan_id: toId('plan', plan.id),
    when: at,
    takes_effect: planMove.takesEffect ?? 'now',
    date: at === 'period_end' ? row.period_end : row.now,
    rank: plan.rank > row.plan.rank ? 'higher' : plan.rank < row.plan.rank ? 'lower' : 'equal',
    lines: bill === undefined ? [] : toPreviewLines(bill),
    amount: fromMinor(amount, plan.currency),
    currency: plan.currency,
    next_bill: upcomingBill(row, afterChange(state, event), balanceAfter(balanceOf, bill)),
    expires_at,
  }
}

/** The state once the change has been paid. */
function afterChange(state: State, { plan, at }: { plan: PricedPlan; at: string }): State {
  const waiting = state.openBills.find((open) => open.plan !== null)
  return at === 'now' && waiting !== undefined ? planAfter(state, waiting, plan) : state
}

/** What the member has in hand once the bill of the change is made. */
const balanceAfter =
  (balanceOf: BalanceOf, bill: DraftBill | undefined): BalanceOf =>
  (memberId, currency) =>
    (bill?.bill.currency === currency ? bill.entries : []).reduce(
      (sum, { amountMinor }) => sum + amountMinor,
      balanceOf(memberId, currency),
    )
