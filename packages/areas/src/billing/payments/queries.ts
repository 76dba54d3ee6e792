import { type InferResult, sql } from 'kysely'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { toId } from '#platform/ids.ts'
import { fromMinor } from '#platform/values/money.ts'
import { paymentId } from '../ids.ts'
import type { Payment, PaymentStatus, Purpose } from './schema.ts'

/** What time it is by the project's clock, to the millisecond, as clocks that are moved stop. */
export const nowInMs = sql<string>`(select date_trunc('milliseconds', app.project_now()))`

/** Seconds until the next question: a minute, two, four … a day. */
export const pauseAfter = (asked: number) => Math.min(60 * 2 ** asked, 86_400)

/** The moment that is so many seconds from now; null: never. */
export const momentIn = (seconds: number | null) =>
  sql<string | null>`${nowInMs} + ${seconds}::float8 * interval '1 second'`

const columns = [
  ...(['id', 'member_id', 'account_id', 'purpose', 'purpose_id', 'status', 'amount_minor'] as const),
  ...(['refunded_minor', 'currency', 'off_session', 'saves_method', 'provider_reference'] as const),
  ...(['failure', 'asked', 'created_at', 'dispute', 'dispute_reason', 'money_back_noticed'] as const),
] as const

/** What columns of text hold. */
interface Words {
  purpose: Purpose
  status: PaymentStatus
  /** The dispute that was opened last. */
  dispute: 'open' | 'won' | 'lost' | null
}

const payments = () => query.selectFrom('payments').select(columns).$narrowType<Words>()

/**
 * A payment as it is stored. `saves_method`: what its payer pays with is saved for charges without them.
 * `money_back_noticed`: refunds or disputes are to be looked for with the provider.
 */
export type PaymentRow = InferResult<ReturnType<typeof payments>>[number]

/** What a browser needs to go on with a payment. */
export interface ForBrowser {
  readonly clientSecret: string
  /** Of the payment account. */
  readonly publishableKey: string | null
}

/** A payment as clients see it. */
export const toPayment = (row: PaymentRow, browser?: ForBrowser): Payment => ({
  id: toId(paymentId, row.id),
  status: row.status,
  amount: fromMinor(row.amount_minor, row.currency),
  amount_refunded: fromMinor(row.refunded_minor, row.currency),
  currency: row.currency,
  ...(browser && { client_secret: browser.clientSecret }),
  ...(browser?.publishableKey != null && { publishable_key: browser.publishableKey }),
  provider_reference: row.provider_reference,
  failure: row.failure,
  dispute: row.dispute,
  dispute_reason: row.dispute_reason,
  created_at: row.created_at,
})

/** @throws ApiError 404 */
export const getPayment = defineLookup('payment_by_id', (v: { id: string }) =>
  payments().where('id', '=', v.id),
).one('Payment')

/** @throws ApiError 404 */
export const lockPayment = defineQuery('lock_payment', (v: { id: string }) =>
  payments().where('id', '=', v.id).forUpdate(),
).one('Payment')

/** All payments for these things, the earliest first. */
export const listPayments = defineLookup('payments_of', (v: { purpose: Purpose; ids: readonly string[] }) =>
  payments()
    .where('purpose', '=', v.purpose)
    .where('purpose_id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .orderBy('id'),
)

/** The payment that is under way for a thing. */
export const findOpenPayment = defineQuery('open_payment', (v: { purpose: Purpose; purpose_id: string }) =>
  payments()
    .where('purpose', '=', v.purpose)
    .where('purpose_id', '=', v.purpose_id)
    .where('status', 'in', ['requires_action', 'pending'])
    .forUpdate(),
).first()

interface NewPayment
  extends Pick<PaymentRow, 'id' | 'member_id' | 'account_id' | 'purpose' | 'purpose_id' | 'status'>,
    Pick<PaymentRow, 'amount_minor' | 'currency' | 'off_session'> {
  /** Null: as the payment for the same thing before it. */
  saves_method: boolean | null
  /** Whether the provider is to be asked by a worker. */
  asks: boolean
}

/** Undefined where one for the same thing is under way. */
export const insertPayment = defineQuery('insert_payment', (v: NewPayment) =>
  query
    .insertInto('payments')
    .values({
      ...pick(v, 'id', 'member_id', 'account_id', 'purpose', 'purpose_id', 'status', 'amount_minor'),
      ...pick(v, 'currency', 'off_session'),
      saves_method: sql`coalesce(${v.saves_method}::boolean, (select before.saves_method from payments before
        where before.purpose = ${v.purpose} and before.purpose_id = ${v.purpose_id} order by before.id desc limit 1), false)`,
      ask_at: sql`case when ${v.asks}::boolean then ${nowInMs} end`,
      created_at: nowInMs,
      settled_at: sql`case when ${v.status}::text = 'succeeded' then ${nowInMs} end`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'purpose', 'purpose_id'])
        // Words of the index, not values: PostgreSQL has to see that they are the same.
        .where(sql<boolean>`status in ('requires_action', 'pending')`)
        .doNothing(),
    )
    .returning(columns)
    .$narrowType<Words>(),
).first()

interface Outcome {
  id: string
  status: PaymentStatus
  provider_reference: string | null
  failure: string | null
  /** How often it was asked about in this state. */
  asked: number
  /** Seconds until it is asked about again; null: never. */
  ask_in: number | null
}
/** Records the state of a payment. */
export const updatePayment = defineQuery('update_payment', (v: Outcome) =>
  query
    .updateTable('payments')
    .set({
      ...pick(v, 'status', 'failure', 'asked'),
      provider_reference: sql`coalesce(${v.provider_reference}, provider_reference)`,
      ask_at: momentIn(v.ask_in),
      // Money that comes late is counted on the day on which it comes.
      settled_at: sql`case when ${v.status}::text in ('succeeded', 'failed', 'canceled')
        then coalesce(case when status = ${v.status}::text then settled_at end, ${nowInMs}) end`,
    })
    .where('id', '=', v.id),
)

/** Has a worker ask the provider. */
export const askAboutPayment = defineQuery('ask_about_payment', (v: { id: string }) =>
  query.updateTable('payments').set({ ask_at: nowInMs }).where('id', '=', v.id),
)

/** Nobody has more to say of a payment. */
export const stopAskingAbout = defineQuery('stop_asking_about_payment', (v: { id: string }) =>
  query.updateTable('payments').set({ ask_at: null }).where('id', '=', v.id),
)

/** Has a worker look with the provider for refunds and disputes of a payment. */
export const askAboutMoneyBack = defineQuery('ask_about_money_back', (v: { id: string }) =>
  query
    .updateTable('payments')
    .set({ ask_at: nowInMs, asked: 0, money_back_noticed: true })
    .where('id', '=', v.id),
)

interface MoneyBackState {
  id: string
  dispute: PaymentRow['dispute']
  dispute_reason: string | null
  /** Seconds until it is looked for again; null: everything is recorded. */
  ask_in: number | null
}
/** Notes what the provider answered about refunds and disputes. */
export const updateMoneyBack = defineQuery('update_money_back', (v: MoneyBackState) =>
  query
    .updateTable('payments')
    .set({
      ...pick(v, 'dispute', 'dispute_reason'),
      money_back_noticed: sql`${v.ask_in}::float8 is not null`,
      ask_at: momentIn(v.ask_in),
      asked: sql`asked + 1`,
    })
    .where('id', '=', v.id),
)

/** The payment of this account that a notice is about; it may come before the reference is recorded. */
export const findNoticed = defineQuery(
  'payment_of_notice',
  (v: { account_id: string; reference: string; id: string | null }) =>
    query
      .selectFrom('payments')
      .select('id')
      .where('account_id', '=', v.account_id)
      .where(
        sql<boolean>`(provider_reference = ${v.reference} or (id = ${v.id}::uuid and provider_reference is null))`,
      ),
).first()

/** Until when what is claimed now is one worker's: longer than a provider takes to answer. */
export const endOfClaim = sql<string>`${nowInMs} + interval '2 minutes'`

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
  sql<boolean>`ask_at is not null and (${moment}::text = 'any' or ask_at <= ${nowInMs})`

/** Payments to ask about, for this worker alone. */
export const claimPayments = defineQuery('claim_payments', (v: Claim) =>
  query
    .updateTable('payments')
    .set({ ask_at: endOfClaim })
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

/** When the next payment or refund is to be asked about. */
export const nextAsk = defineQuery('next_ask', (v: { moment: Claim['moment'] }) =>
  query.selectNoFrom(
    sql<
      string | null
    >`least((select min(ask_at) from payments where ask_at is not null and ${acts(v.moment)}),
      (select min(ask_at) from refunds where ask_at is not null and ${makesRefund(v.moment)}))`.as('at'),
  ),
)
  .map(({ at }) => at)
  .single()
