import type { Static } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { readBalances } from '../../credit/ledger.ts'
import { refusal } from '../../errors.ts'
import { previewId } from '../../ids.ts'
import { decide } from '../machine/decide.ts'
import { iso } from '../rows.ts'
import type { Preview } from '../schema.ts'
import { type ChangeRequest, holdSubscription, readChange } from '../service.ts'
import { forgetPreviews, insertPreviewRow } from './preview-queries.ts'

/**
 * Works a change out and writes nothing of it but the promise: a change with this preview charges its amount.
 * @throws ApiError 422 where the change would be refused
 */
export async function previewChange(
  ctx: Context,
  id: string,
  request: ChangeRequest,
): Promise<Static<typeof Preview>> {
  const { row, now } = await holdSubscription(ctx, id)
  const { plan, at } = await readChange(ctx, row, request)
  const balanceOf = await readBalances(ctx, [row.member_id])
  const decision = decide(row, { type: 'change', plan, at, pricedAt: now }, { now, balanceOf })
  if (decision === 'ignored') throw refusal('SAME_PLAN')()
  if ('refused' in decision) throw refusal(decision.refused)()
  const amount = decision.bill?.bill.total_minor ?? 0
  const newId = newUuid()
  await forgetPreviews(ctx)
  const { expires_at } = await insertPreviewRow(ctx, {
    id: newId,
    subscription_id: id,
    revision: row.revision,
    plan_id: plan.id,
    plan_version: plan.version,
    at_period_end: at === 'period_end',
    amount_minor: amount,
    priced_at: iso(now),
  })
  return {
    preview_id: toId(previewId, newId),
    plan_id: toId('plan', plan.id),
    when: at,
    lines: (decision.bill?.lines ?? []).map((line) => ({
      kind: line.kind as 'period' | 'proration' | 'credit',
      description: line.description,
      plan_id: line.plan_id === null ? null : toId('plan', line.plan_id),
      period_start: line.period_start,
      period_end: line.period_end,
      amount: fromMinor(line.amount_minor, plan.currency),
    })),
    amount: fromMinor(amount, plan.currency),
    currency: plan.currency,
    expires_at,
  }
}
