import { addGrant, removeGrants } from '#areas/entitlements/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emitEach } from '#platform/events/emit.ts'
import { newUuid } from '#platform/ids.ts'
import { giveUpBill, reduceOpenBill } from '../bills/end-open-bill.ts'
import { insertBills, listBillsById } from '../bills/queries.ts'
import { toBillData } from '../bills/rows.ts'
import { writeEntries } from '../credit/ledger.ts'
import {
  billCreated,
  billPaid,
  subscriptionCanceled,
  subscriptionCreated,
  subscriptionPastDue,
  subscriptionPaused,
  subscriptionRenewed,
  subscriptionResumed,
  subscriptionTrialEnding,
  subscriptionUpdated,
} from '../events.ts'
import { requestPayerMail } from '../mailing/request-mail.ts'
import { chargeBills, suspendBills } from './charges.ts'
import type { Decision } from './machine/decide.ts'
import type { Status } from './machine/state.ts'
import { mailMembers } from './mail-members.ts'
import {
  insertMoves,
  insertSubscription,
  insertTrial,
  readSubscriptions,
  type SubscriptionRow,
  storeSubscriptions,
  toSubscription,
} from './queries.ts'
import { iso, toStored } from './rows.ts'

/** Writes what was decided of subscriptions that are locked, or new. @returns them as they are now */
export async function apply(ctx: Context, decisions: readonly Decision[]): Promise<SubscriptionRow[]> {
  if (decisions.length === 0) return []
  const stored = decisions.map(({ state, row, at }) => toStored(state, row, at))
  for (const [index, { fromStatus }] of decisions.entries()) {
    const row = stored[index]
    if (fromStatus === null && row !== undefined) insertSubscription(ctx, row)
  }
  storeSubscriptions(
    ctx,
    stored.filter((_, index) => decisions[index]?.fromStatus !== null),
  )
  writeMoves(ctx, decisions)
  // Asked before bills are numbered: while one transaction has done that, all others that write a bill wait for its end.
  const moved = readSubscriptions(ctx, { ids: decisions.map(({ row }) => row.id) })
  await writeBills(ctx, decisions)
  for (const decision of decisions) await closeOpenBills(ctx, decision)
  for (const { effects, row, state } of decisions)
    if (effects.some(({ type }) => type === 'try'))
      insertTrial(ctx, { id: newUuid(), member_id: row.member_id, plan_id: state.plan.id })
  for (const decision of decisions) await changeGrant(ctx, decision)
  await suspendBills(ctx, decisions)
  await charge(ctx, decisions)
  await mailMembers(ctx, decisions)
  const rows = await moved
  announce(ctx, decisions, rows)
  return rows
}

function writeMoves(ctx: Context, decisions: readonly Decision[]): void {
  // What happens to bills after the end is no move.
  const moved = decisions.filter(({ fromStatus }) => fromStatus !== 'canceled')
  const moves = moved.map(({ at, row, event, fromStatus, state, planMove }) => ({
    id: newUuid(),
    subscription_id: row.id,
    event,
    from_status: fromStatus,
    to_status: state.status,
    from_plan_id: planMove.from,
    to_plan_id: planMove.to,
    takes_effect: planMove.takesEffect,
    // The system does due work, also while somebody moves the clock.
    actor_kind: event === 'due' ? 'system' : ctx.actor.kind,
    reason: state.status === 'canceled' ? state.cancelReason : null,
    occurred_at: iso(at),
  }))
  insertMoves(ctx, moves)
}

async function writeBills(ctx: Context, decisions: readonly Decision[]): Promise<void> {
  const drafts = decisions.flatMap(({ bill }) => (bill === undefined ? [] : [bill]))
  if (drafts.length === 0) return
  const bills = drafts.map(({ bill }) => bill)
  insertBills(
    ctx,
    bills,
    drafts.flatMap(({ lines }) => lines),
  )
  writeEntries(
    ctx,
    drafts.flatMap(({ entries }) => entries),
  )
  const written = await listBillsById(ctx, { ids: bills.map(({ id }) => id) })
  const byHand = new Set(
    decisions.flatMap(({ bill, state }) => (state.provider === null ? (bill?.bill.id ?? []) : [])),
  )
  for (const bill of written)
    if (bill.status === 'open' && byHand.has(bill.id)) requestPayerMail(ctx, 'due', bill)
  const announced = written.map(toBillData)
  emitEach(ctx, billCreated, announced)
  emitEach(
    ctx,
    billPaid,
    announced.filter(({ status }) => status === 'paid'),
  )
}

/** What becomes of bills that are open. */
async function closeOpenBills(ctx: Context, { effects, state: { periodEnd } }: Decision): Promise<void> {
  for (const effect of effects) {
    if (effect.type === 'close_bill') await giveUpBill(ctx, effect.bill, effect.status)
    if (effect.type === 'reduce_bill')
      await reduceOpenBill(ctx, effect.bill, { periodEnd, until: effect.until })
  }
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
  const due = decisions.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.type === 'charge' ? [effect.bill] : [])),
  )
  if (due.length > 0) await chargeBills(ctx, due)
}

function announce(ctx: Context, decisions: readonly Decision[], rows: readonly SubscriptionRow[]): void {
  const now = new Map(rows.map((row) => [row.id, toSubscription(row)]))
  const dataWhere = (wanted: (decision: Decision) => boolean) =>
    decisions.flatMap((decision) => {
      const subscription = now.get(decision.row.id)
      return wanted(decision) && subscription !== undefined ? [subscription] : []
    })
  const isNew = ({ fromStatus }: Decision) => fromStatus === null
  const wasOver = ({ fromStatus }: Decision) => fromStatus === 'canceled'
  const isOver = (each: Decision) => each.state.status === 'canceled' && !wasOver(each)
  const isReminder = ({ effects }: Decision) => effects.some(({ type }) => type === 'announce')
  const begins = (status: Status) => (each: Decision) =>
    each.state.status === status && each.fromStatus !== status
  emitEach(ctx, subscriptionCreated, dataWhere(isNew))
  emitEach(ctx, subscriptionCanceled, dataWhere(isOver))
  emitEach(ctx, subscriptionTrialEnding, dataWhere(isReminder))
  emitEach(
    ctx,
    subscriptionUpdated,
    dataWhere((each) => !isNew(each) && !wasOver(each) && !isOver(each) && !isReminder(each)),
  )
  emitEach(
    ctx,
    subscriptionRenewed,
    dataWhere(({ effects }) =>
      effects.some((effect) => effect.type === 'bill' && effect.reason === 'renewal'),
    ),
  )
  emitEach(ctx, subscriptionPastDue, dataWhere(begins('past_due')))
  emitEach(ctx, subscriptionPaused, dataWhere(begins('paused')))
  emitEach(
    ctx,
    subscriptionResumed,
    dataWhere((each) => each.fromStatus === 'paused' && each.state.status !== 'paused' && !isOver(each)),
  )
}
