import { sql } from 'kysely'
import { subscriptionId } from '#areas/entitlements/ids.ts'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { emitEach } from '#platform/events/emit.ts'
import { listBillsById, takeUpAgain } from './bills/queries.ts'
import { toBillData } from './bills/rows.ts'
import { returnCredit } from './credit/ledger.ts'
import { billVoided, subscriptionCanceled } from './events.ts'
import { billId, creditId, paymentId } from './ids.ts'
import { lockSubscriptions, toSubscription } from './subscriptions/queries.ts'

const endSubscriptions = defineQuery(
  'end_subscriptions_of_forgotten',
  (v: { memberIds: readonly string[] }) =>
    query
      .updateTable('subscriptions')
      .set({
        status: 'canceled',
        cancel_reason: 'member_deleted',
        canceled_at: now,
        due_at: null,
        dunning_at: null,
        suspended_at: null,
        suspended_status: null,
        open_bill_id: null,
        open_bill_reason: null,
        revision: sql`revision + 1`,
      })
      .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
      .where('status', '<>', 'canceled')
      .returning('id'),
)

const forgetMethods = defineQuery('forget_methods', (v: { memberIds: readonly string[] }) =>
  query
    .updateTable('subscriptions')
    .set({ method_ref: null, method_at: null, takes_newest_method: false })
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`),
)

const voidBills = defineQuery('void_bills_of_forgotten', (v: { memberIds: readonly string[] }) =>
  query
    .updateTable('bills')
    .set({ status: 'void' })
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .where('status', '=', 'open')
    .returning('id'),
)

const blankReasons = defineQuery('blank_credit_reasons', (v: { memberIds: readonly string[] }) =>
  query
    .updateTable('credit_entries')
    .set({ reason: '' })
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .where('reason', 'is not', null),
)

const endPayments = defineQuery('end_payments_of_forgotten', (v: { memberIds: readonly string[] }) =>
  query
    .updateTable('payments')
    .set({
      status: 'canceled',
      settled_at: now,
      // A worker notifies its provider, which learns whether it was too late.
      ask_at: sql`case when account_id is not null then ${now} end`,
      asked: 0,
    })
    .where('member_id', '=', sql<string>`any (${v.memberIds}::uuid[])`)
    .where('purpose', '=', 'bill')
    .where('status', 'in', ['requires_action', 'pending']),
)

/**
 * What members pay for, and paid. A forgotten member is charged no more. Bills and payments stay, and point at a row
 * without a name.
 */
export const memberData = [
  personalData({
    table: 'subscriptions',
    member: 'member_id',
    columns: [
      ...([
        'id',
        'plan_id',
        'status',
        'period_start',
        'period_end',
        'trial_end',
        'started_at',
        'canceled_at',
      ] as const),
    ],
    ids: { id: subscriptionId, plan_id: 'plan' },
    erase: async (ctx, { memberIds }) => {
      const ended = (await endSubscriptions(ctx, { memberIds })).map(({ id }) => id)
      if (ended.length > 0)
        emitEach(ctx, subscriptionCanceled, (await lockSubscriptions(ctx, ended)).map(toSubscription))
      forgetMethods(ctx, { memberIds })
    },
  }),
  personalData({
    table: 'bills',
    member: 'member_id',
    columns: ['id', 'number', 'status', 'currency', 'total_minor', 'due_at', 'paid_at', 'created_at'],
    ids: { id: billId },
    // Nobody is left who could pay what is open.
    erase: async (ctx, { memberIds }) => {
      const voided = (await voidBills(ctx, { memberIds })).map(({ id }) => id)
      if (voided.length === 0) return
      await returnCredit(ctx, voided)
      await takeUpAgain(ctx, voided)
      emitEach(ctx, billVoided, (await listBillsById(ctx, { ids: voided })).map(toBillData))
    },
  }),
  personalData({
    table: 'payments',
    member: 'member_id',
    columns: ['id', 'purpose', 'status', 'amount_minor', 'refunded_minor', 'currency', 'created_at'],
    ids: { id: paymentId },
    erase: endPayments,
  }),
  personalData({ table: 'payment_customers', member: 'member_id', columns: ['customer_ref', 'updated_at'] }),
  personalData({
    table: 'credit_entries',
    member: 'member_id',
    columns: ['id', 'currency', 'amount_minor', 'kind', 'bill_id', 'reason', 'created_at'],
    ids: { id: creditId, bill_id: billId },
    // The ledger has to add up; what somebody wrote about the member goes.
    erase: blankReasons,
  }),
  personalData({
    table: 'credit_balances',
    member: 'member_id',
    columns: ['currency', 'amount_minor'],
    // The sum of the ledger, which stays.
    erase: async () => {},
  }),
  personalData({
    table: 'plan_trials',
    member: 'member_id',
    columns: ['plan_id', 'began_at'],
    ids: { plan_id: 'plan' },
  }),
]
