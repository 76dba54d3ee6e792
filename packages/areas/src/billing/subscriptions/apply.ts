import { addGrant, removeGrants } from '#areas/entitlements/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emitEach } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { listBillsById } from '../bills/queries.ts'
import { toBillData } from '../bills/rows.ts'
import { closeBill, insertBillRows, takeNumbers, takeUpAgain } from '../bills/write-queries.ts'
import { returnCredit, writeEntries } from '../credit/ledger.ts'
import {
  billCreated,
  billPaid,
  billUncollectible,
  billVoided,
  subscriptionCanceled,
  subscriptionCreated,
  subscriptionPastDue,
  subscriptionPaused,
  subscriptionRenewed,
  subscriptionResumed,
  subscriptionTrialEnding,
  subscriptionUpdated,
} from '../events.ts'
import { tellPayer } from '../mailing/tell.ts'
import { cancelPayments } from '../payments/service.ts'
import { chargeBills } from './charge-bills.ts'

import { lockSubscriptions, type SubscriptionRow } from './load-queries.ts'
import type { Decision } from './machine/decide.ts'
import type { Status } from './machine/state.ts'
import { mailMembers } from './mail-members.ts'
import { iso, toStored, toSubscription } from './rows.ts'
import { suspendBills } from './suspend-bills.ts'
import { insertMoveRows, insertSubscriptionRow, storeSubscriptions } from './write-queries.ts'

/** Writes what was decided of subscriptions that are locked, or new. @returns them as they are now */
export async function apply(
  ctx: Context,
  decisions: readonly Decision[],
  now: number,
): Promise<SubscriptionRow[]> {
  if (decisions.length === 0) return []
  const stored = decisions.map(({ state, row, openBillId }) => toStored(state, row, { openBillId, now }))
  for (const [index, { fromStatus }] of decisions.entries()) {
    const row = stored[index]
    if (fromStatus === null && row !== undefined) await insertSubscriptionRow(ctx, row)
  }
  const known = stored.filter((_, index) => decisions[index]?.fromStatus !== null)
  if (known.length > 0) await storeSubscriptions(ctx, known)
  writeMoves(ctx, decisions, now)
  await writeBills(ctx, decisions)
  for (const decision of decisions) await closeOpenBill(ctx, decision)
  for (const decision of decisions) await changeGrant(ctx, decision)
  await suspendBills(ctx, decisions)
  await charge(ctx, decisions)
  await mailMembers(ctx, decisions)
  const rows = await lockSubscriptions(
    ctx,
    decisions.map(({ row }) => row.id),
  )
  announce(ctx, decisions, rows)
  return rows
}

function writeMoves(ctx: Context, decisions: readonly Decision[], now: number): void {
  const moves = decisions.map(({ row, event, fromStatus, state }) => ({
    id: newUuid(),
    subscription_id: row.id,
    event,
    from_status: fromStatus,
    to_status: state.status,
    actor_kind: ctx.actor.kind,
    reason: state.status === 'canceled' ? state.cancelReason : null,
    occurred_at: iso(now),
  }))
  insertMoveRows(ctx, moves)
}

async function writeBills(ctx: Context, decisions: readonly Decision[]): Promise<void> {
  const drafts = decisions.flatMap(({ bill }) => (bill === undefined ? [] : [bill]))
  if (drafts.length === 0) return
  const first = await takeNumbers(ctx, drafts.length)
  const bills = drafts.map(({ bill }, index) => ({ ...bill, number: first + index }))
  await insertBillRows(
    ctx,
    bills,
    drafts.flatMap(({ lines }) => lines),
  )
  await writeEntries(
    ctx,
    drafts.flatMap(({ entries }) => entries),
  )
  const written = await listBillsById(
    ctx,
    bills.map(({ id }) => id),
  )
  const byHand = new Set(
    decisions.flatMap(({ bill, state }) => (state.provider === null ? (bill?.bill.id ?? []) : [])),
  )
  for (const bill of written) if (bill.status === 'open' && byHand.has(bill.id)) tellPayer(ctx, 'due', bill)
  const told = written.map(toBillData)
  emitEach(ctx, billCreated, told)
  emitEach(
    ctx,
    billPaid,
    told.filter(({ status }) => status === 'paid'),
  )
}

/** What becomes of the bill that was waited for; nothing more is asked for it. */
async function closeOpenBill(ctx: Context, { effects, openBillBefore }: Decision): Promise<void> {
  const closing = effects.find((effect) => effect.type === 'close_bill')
  if (closing === undefined || openBillBefore === null) return
  await giveUpBill(ctx, openBillBefore, closing.status)
}

/**
 * Ends a bill that is open, and whatever is under way to pay it. What it has used of the member's credit comes back.
 * @returns whether it was open
 */
export async function giveUpBill(
  ctx: Context,
  id: string,
  status: 'void' | 'uncollectible',
): Promise<boolean> {
  if ((await closeBill(ctx, id, status)) === undefined) return false
  await returnCredit(ctx, [id])
  await takeUpAgain(ctx, [id])
  await cancelPayments(ctx, 'bill', id)
  const bills = await listBillsById(ctx, [id])
  emitEach(ctx, status === 'void' ? billVoided : billUncollectible, bills.map(toBillData))
  return true
}

async function changeGrant(ctx: Context, { effects, state, row }: Decision): Promise<void> {
  const source = { type: 'subscription', id: row.id } as const
  const last = effects.findLast(({ type }) => type === 'grant' || type === 'revoke')
  if (last === undefined) return
  if (last.type === 'revoke') return void (await removeGrants(ctx, source))
  await addGrant(ctx, {
    memberId: row.member_id,
    source,
    planId: state.plan.id,
    planVersion: state.plan.version,
    expiresAt: state.cancelAtPeriodEnd ? iso(state.periodEnd) : undefined,
  })
}

/** Has a worker take the money of open bills, without their payers. */
async function charge(ctx: Context, decisions: readonly Decision[]): Promise<void> {
  const due = decisions.filter(({ effects }) => effects.some(({ type }) => type === 'charge'))
  if (due.length === 0) return
  await chargeBills(
    ctx,
    due.flatMap(({ openBillId }) => (openBillId === null ? [] : [openBillId])),
  )
}

function announce(ctx: Context, decisions: readonly Decision[], rows: readonly SubscriptionRow[]): void {
  const now = new Map(rows.map((row) => [row.id, toSubscription(row)]))
  const told = (wanted: (decision: Decision) => boolean) =>
    decisions.flatMap((decision) => {
      const subscription = now.get(decision.row.id)
      return wanted(decision) && subscription !== undefined ? [subscription] : []
    })
  const isNew = ({ fromStatus }: Decision) => fromStatus === null
  const isOver = ({ state }: Decision) => state.status === 'canceled'
  const isReminder = ({ effects }: Decision) => effects.some(({ type }) => type === 'announce')
  const begins = (status: Status) => (each: Decision) =>
    each.state.status === status && each.fromStatus !== status
  emitEach(ctx, subscriptionCreated, told(isNew))
  emitEach(ctx, subscriptionCanceled, told(isOver))
  emitEach(ctx, subscriptionTrialEnding, told(isReminder))
  emitEach(
    ctx,
    subscriptionUpdated,
    told((each) => !isNew(each) && !isOver(each) && !isReminder(each)),
  )
  emitEach(
    ctx,
    subscriptionRenewed,
    told(({ effects }) => effects.some((effect) => effect.type === 'bill' && effect.reason === 'renewal')),
  )
  emitEach(ctx, subscriptionPastDue, told(begins('past_due')))
  emitEach(ctx, subscriptionPaused, told(begins('paused')))
  emitEach(
    ctx,
    subscriptionResumed,
    told((each) => each.fromStatus === 'paused' && each.state.status !== 'paused' && !isOver(each)),
  )
}
