import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type Claim, isTime } from '../../payments/queries.ts'

/** To the millisecond, as clocks that are moved stop. */
const now = sql<string>`(select date_trunc('milliseconds', app.project_now()))`

const ofBill = statement('method_of_bill', (v: { bill: string }) =>
  query
    .selectFrom('bills as b')
    .innerJoin('subscriptions as s', 's.id', 'b.subscription_id')
    .select(['s.method_ref as reference', 's.takes_newest_method as takesNewest'])
    .where('b.id', '=', v.bill),
)
/** What a bill is charged with while its payer is away. */
export const findMethodOfBill = (ctx: Context, bill: string) => ctx.tx.first(ofBill, { bill })

interface Kept {
  subscription: string
  method: string
  /** When what brought it was begun. */
  at: string
  /** A method that the subscription has already stays. */
  ifNone: boolean
}
const keep = statement('keep_method', (v: Kept) =>
  query
    .updateTable('subscriptions')
    .set({ method_ref: v.method, method_at: v.at, takes_newest_method: false })
    .where('id', '=', v.subscription)
    .where(
      sql<boolean>`case when ${v.ifNone}::boolean then method_ref is null
        else method_at is null or method_at <= ${v.at}::timestamptz end`,
    ),
)
/** From now on a subscription is charged with a method, unless one that was begun later is there. */
export const keepMethod = (ctx: Context, kept: Kept) => ctx.tx.run(keep, kept)

/** A card that a browser hands in, as it lies in the database. */
export interface SetupRow {
  id: string
  subscription_id: string
  account_id: string
  status: 'pending' | 'succeeded' | 'canceled'
  provider_reference: string | null
  asked: number
  created_at: string
}
const columns = [
  ...([
    'id',
    'subscription_id',
    'account_id',
    'status',
    'provider_reference',
    'asked',
    'created_at',
  ] as const),
] as const
const rows = () => query.selectFrom('payment_method_setups').select(columns)

const pending = statement('pending_setup', (v: { subscription: string }) =>
  rows().where('subscription_id', '=', v.subscription).where('status', '=', 'pending'),
)
const insert = statement('insert_setup', (v: { id: string; subscription: string; account: string }) =>
  query
    .insertInto('payment_method_setups')
    .values({
      id: v.id,
      subscription_id: v.subscription,
      account_id: v.account,
      status: 'pending',
      created_at: now,
      ask_at: sql`${now} + interval '1 minute'`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'subscription_id'])
        // Words of the index, not values: PostgreSQL has to see that they are the same.
        .where(sql<boolean>`status = 'pending'`)
        .doNothing(),
    ),
)
/** The one under way of a subscription; a new one where there is none. */
export const putSetup = (ctx: Context, setup: { id: string; subscription: string; account: string }) =>
  ctx.tx
    .run(insert, setup)
    .and(ctx.tx.single(pending, { subscription: setup.subscription }))
    .map(([, row]) => row as SetupRow)

const byId = statement('setup_by_id', (v: { id: string }) => rows().where('id', '=', v.id))
/** Undefined where there is none any more. */
export const findSetup = (ctx: Context, id: string) =>
  ctx.tx.first(byId, { id }).map((row) => row as SetupRow | undefined)

const noticed = statement('setup_of_notice', (v: { account: string; reference: string; id: string | null }) =>
  query
    .selectFrom('payment_method_setups')
    .select('id')
    .where('account_id', '=', v.account)
    .where(
      sql<boolean>`(provider_reference = ${v.reference} or (id = ${v.id}::uuid and provider_reference is null))`,
    ),
)
/** The one of this account that a notice is about; it may come before the reference is recorded. */
export const findNoticedSetup = (
  ctx: Context,
  notice: { account: string; reference: string; id: string | null },
) => ctx.tx.first(noticed, notice)

interface Settled {
  id: string
  status: SetupRow['status']
  provider_reference: string | null
  asked: number
  /** Seconds until it is asked about again; null: never. */
  ask_in: number | null
}
const settle = statement('settle_setup', (v: Settled) =>
  query
    .updateTable('payment_method_setups')
    .set({
      status: v.status,
      provider_reference: sql`coalesce(${v.provider_reference}, provider_reference)`,
      asked: v.asked,
      ask_at: sql`${now} + ${v.ask_in}::float8 * interval '1 second'`,
    })
    .where('id', '=', v.id),
)
export const settleSetup = (ctx: Context, settled: Settled) => ctx.tx.run(settle, settled)

const askSoon = statement('ask_about_setup', (v: { id: string }) =>
  query.updateTable('payment_method_setups').set({ ask_at: now }).where('id', '=', v.id),
)
/** Has a worker ask the provider. */
export const askAboutSetup = (ctx: Context, id: string) => ctx.tx.defer(askSoon, { id })

const claim = statement('claim_setups', (v: Claim) =>
  query
    .updateTable('payment_method_setups')
    .set({ ask_at: sql`${now} + interval '2 minutes'` })
    .where('id', 'in', (select) =>
      select
        .selectFrom('payment_method_setups')
        .select('id')
        .where(isTime(v.moment))
        .orderBy('ask_at')
        .limit(v.limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('id'),
)
/** Those to ask about, for this worker alone. */
export const claimSetups = (ctx: Context, wanted: Claim) => ctx.tx.all(claim, wanted)

const next = statement('next_setup', () =>
  query
    .selectFrom('payment_method_setups')
    .select('ask_at')
    .where('ask_at', 'is not', null)
    .orderBy('ask_at')
    .limit(1),
)
/** When the next one is to be asked about. */
export const nextSetup = (ctx: Context) => ctx.tx.first(next, {}).map((row) => row?.ask_at ?? null)
