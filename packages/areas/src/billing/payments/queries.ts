import { sql } from 'kysely'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { PaymentStatus, Purpose } from './schema.ts'

/** To the millisecond, as clocks that are moved stop. */
const now = sql<string>`(select date_trunc('milliseconds', app.project_now()))`

export const paymentColumns = [
  ...(['id', 'member_id', 'account_id', 'purpose', 'purpose_id', 'status', 'amount_minor'] as const),
  ...([
    'refunded_minor',
    'currency',
    'off_session',
    'saves_method',
    'provider_reference',
    'failure',
    'asked',
    'created_at',
    'dispute',
    'dispute_reason',
    'money_back_noticed',
  ] as const),
] as const

/** A payment as it lies in the database. */
export interface PaymentRow {
  id: string
  member_id: string
  account_id: string | null
  purpose: Purpose
  purpose_id: string
  status: PaymentStatus
  amount_minor: number
  refunded_minor: number
  currency: string
  off_session: boolean
  /** What its payer pays with is saved for charges without them. */
  saves_method: boolean
  provider_reference: string | null
  failure: string | null
  asked: number
  created_at: string
  /** The dispute that was opened last. */
  dispute: 'open' | 'won' | 'lost' | null
  dispute_reason: string | null
  /** Refunds or disputes are to be looked for with the provider. */
  money_back_noticed: boolean
}

const rows = () => query.selectFrom('payments').select(paymentColumns)

const byId = lookup('payment_by_id', (v: { id: string }) => rows().where('id', '=', v.id))
/** @throws ApiError 404 */
export const getPayment = (ctx: Context, id: string) =>
  ctx.tx.one(byId, { id }, 'Payment').map((row) => row as PaymentRow)

const locked = statement('lock_payment', (v: { id: string }) => rows().where('id', '=', v.id).forUpdate())
/** @throws ApiError 404 */
export const lockPayment = (ctx: Context, id: string) =>
  ctx.tx.one(locked, { id }, 'Payment').map((row) => row as PaymentRow)

const ofPurpose = lookup('payments_of', (v: { purpose: string; ids: readonly string[] }) =>
  rows()
    .where('purpose', '=', v.purpose)
    .where('purpose_id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id'),
)
/** All payments for these things, the earliest first. */
export const listPayments = (ctx: Context, purpose: Purpose, ids: readonly string[]) =>
  ctx.tx.all(ofPurpose, { purpose, ids }).map((found) => found as PaymentRow[])

const open = statement('open_payment', (v: { purpose: string; purpose_id: string }) =>
  rows()
    .where('purpose', '=', v.purpose)
    .where('purpose_id', '=', v.purpose_id)
    .where('status', 'in', ['requires_action', 'pending'])
    .forUpdate(),
)
/** The payment that is under way for a thing. */
export const findOpenPayment = (ctx: Context, purpose: Purpose, purpose_id: string) =>
  ctx.tx.first(open, { purpose, purpose_id }).map((row) => row as PaymentRow | undefined)

type NewPayment = Pick<PaymentRow, 'id' | 'member_id' | 'account_id' | 'purpose' | 'purpose_id' | 'status'> &
  Pick<PaymentRow, 'amount_minor' | 'currency' | 'off_session'> & {
    /** Null: as the payment for the same thing before it. */
    saves_method: boolean | null
  }

const insert = statement('insert_payment', (v: NewPayment & { asks: boolean }) =>
  query
    .insertInto('payments')
    .values({
      id: v.id,
      member_id: v.member_id,
      account_id: v.account_id,
      purpose: v.purpose,
      purpose_id: v.purpose_id,
      status: v.status,
      amount_minor: v.amount_minor,
      currency: v.currency,
      off_session: v.off_session,
      saves_method: sql`coalesce(${v.saves_method}::boolean, (select before.saves_method from payments before
        where before.purpose = ${v.purpose} and before.purpose_id = ${v.purpose_id} order by before.id desc limit 1), false)`,
      ask_at: sql`case when ${v.asks}::boolean then ${now} end`,
      created_at: now,
      settled_at: sql`case when ${v.status}::text = 'succeeded' then ${now} end`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'purpose', 'purpose_id'])
        // Words of the index, not values: PostgreSQL has to see that they are the same.
        .where(sql<boolean>`status in ('requires_action', 'pending')`)
        .doNothing(),
    )
    .returning(paymentColumns),
)
/** Undefined where one for the same thing is under way. @param asks whether the provider is to be asked by a worker */
export const insertPaymentRow = (ctx: Context, payment: NewPayment & { asks: boolean }) =>
  ctx.tx.first(insert, payment).map((row) => row as PaymentRow | undefined)

interface Settled {
  id: string
  status: PaymentStatus
  provider_reference: string | null
  failure: string | null
  /** How often it was asked about in this state. */
  asked: number
  /** Seconds until it is asked about again; null: never. */
  ask_in: number | null
}
const settle = statement('settle_payment', (v: Settled) =>
  query
    .updateTable('payments')
    .set({
      status: v.status,
      provider_reference: sql`coalesce(${v.provider_reference}, provider_reference)`,
      failure: v.failure,
      ask_at: sql`${now} + ${v.ask_in}::float8 * interval '1 second'`,
      asked: v.asked,
      settled_at: sql`case when ${v.status}::text in ('succeeded', 'failed', 'canceled') then coalesce(settled_at, ${now}) end`,
    })
    .where('id', '=', v.id),
)
export const settlePaymentRow = (ctx: Context, settled: Settled) => ctx.tx.run(settle, settled)

const askSoon = statement('ask_about_payment', (v: { id: string }) =>
  query.updateTable('payments').set({ ask_at: now }).where('id', '=', v.id),
)
/** Has a worker ask the provider. */
export const askAboutPayment = (ctx: Context, id: string) => ctx.tx.defer(askSoon, { id })

const stop = statement('stop_asking_about_payment', (v: { id: string }) =>
  query.updateTable('payments').set({ ask_at: null }).where('id', '=', v.id),
)
/** Nobody has more to say of a payment. */
export const stopAskingAbout = (ctx: Context, id: string) => ctx.tx.defer(stop, { id })

const askBack = statement('ask_about_money_back', (v: { id: string }) =>
  query
    .updateTable('payments')
    .set({ ask_at: now, asked: 0, money_back_noticed: true })
    .where('id', '=', v.id),
)
/** Has a worker look with the provider for refunds and disputes of a payment. */
export const askAboutMoneyBack = (ctx: Context, id: string) => ctx.tx.defer(askBack, { id })

interface MoneyBackState {
  id: string
  dispute: PaymentRow['dispute']
  dispute_reason: string | null
  /** Seconds until it is looked for again; null: everything is recorded. */
  ask_in: number | null
}
const settleBack = statement('settle_money_back', (v: MoneyBackState) =>
  query
    .updateTable('payments')
    .set({
      dispute: v.dispute,
      dispute_reason: v.dispute_reason,
      money_back_noticed: sql`${v.ask_in}::float8 is not null`,
      ask_at: sql`${now} + ${v.ask_in}::float8 * interval '1 second'`,
      asked: sql`asked + 1`,
    })
    .where('id', '=', v.id),
)
/** Notes what the provider said of refunds and disputes. */
export const settleMoneyBack = (ctx: Context, state: MoneyBackState) => ctx.tx.run(settleBack, state)

const found = statement(
  'payment_of_notice',
  (v: { account_id: string; reference: string; id: string | null }) =>
    query
      .selectFrom('payments')
      .select('id')
      .where('account_id', '=', v.account_id)
      .where(
        sql<boolean>`(provider_reference = ${v.reference} or (id = ${v.id}::uuid and provider_reference is null))`,
      ),
)
/** The payment of this account that a notice is about; it may come before the reference is recorded. */
export const findNoticed = (
  ctx: Context,
  notice: { account_id: string; reference: string; id: string | null },
) => ctx.tx.first(found, notice)

/** How long a claim holds: longer than a provider takes to answer. */
const CLAIM = sql`interval '2 minutes'`

/**
 * What is claimed. `due`: all that is to be asked about by now; `moved`: of these, what has to happen while a test clock is
 * moved; `any`: all that is undecided, whenever it is to be asked about.
 */
export interface Claim {
  limit: number
  moment: 'due' | 'moved' | 'any'
}

/** What has to happen at its moment: charges without their payers, ends, and what went back; a lost answer is asked for again. */
const acts = (moment: Claim['moment']) =>
  sql<boolean>`(${moment}::text <> 'moved' or asked < 3 and (off_session or status = 'canceled' or money_back_noticed))`
/** Refunds are made at their moment; whether a bank takes one is asked afterwards. */
export const makesRefund = (moment: Claim['moment']) =>
  sql<boolean>`(${moment}::text <> 'moved' or asked < 2)`
/** Whether the time has come. */
export const isTime = (moment: Claim['moment']) =>
  sql<boolean>`ask_at is not null and (${moment}::text = 'any' or ask_at <= ${now})`

const claim = statement('claim_payments', (v: Claim) =>
  query
    .updateTable('payments')
    .set({ ask_at: sql`${now} + ${CLAIM}` })
    .where('id', 'in', (select) =>
      select
        .selectFrom('payments')
        .select('id')
        .where(isTime(v.moment))
        .where(acts(v.moment))
        .orderBy('ask_at')
        .limit(v.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id'),
)
/** Payments to ask about, for this worker alone. */
export const claimPayments = (ctx: Context, wanted: Claim) => ctx.tx.all(claim, wanted)

const next = statement('next_ask', (v: { moment: Claim['moment'] }) =>
  query.selectNoFrom(
    sql<
      string | null
    >`least((select min(ask_at) from payments where ask_at is not null and ${acts(v.moment)}),
      (select min(ask_at) from refunds where ask_at is not null and ${makesRefund(v.moment)}))`.as('at'),
  ),
)
/** When the next payment or refund is to be asked about. */
export const nextAsk = (ctx: Context, moment: Claim['moment']) =>
  ctx.tx.first(next, { moment }).map((row) => row?.at ?? null)
