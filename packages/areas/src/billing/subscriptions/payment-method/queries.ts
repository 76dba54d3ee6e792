import { type InferResult, sql } from 'kysely'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { type Claim, endOfClaim, isTime, momentIn, nowInMs } from '../../payments/queries.ts'

/** What a bill is charged with while its payer is away. */
export const findMethodOfBill = defineQuery('method_of_bill', (v: { id: string }) =>
  query
    .selectFrom('bills as b')
    .innerJoin('subscriptions as s', 's.id', 'b.subscription_id')
    .select(['s.method_ref as reference', 's.takes_newest_method as takesNewest'])
    .where('b.id', '=', v.id),
).first()

interface Kept {
  subscription: string
  method: string
  /** When what brought it was begun. */
  at: string
  /** A method that the subscription has already stays. */
  ifNone: boolean
}
/** From now on a subscription is charged with a method, unless one that was begun later is there. */
export const keepMethod = defineQuery('keep_method', (v: Kept) =>
  query
    .updateTable('subscriptions')
    .set({ method_ref: v.method, method_at: v.at, takes_newest_method: false })
    .where('id', '=', v.subscription)
    .where(
      sql<boolean>`case when ${v.ifNone}::boolean then method_ref is null
        else method_at is null or method_at <= ${v.at}::timestamptz end`,
    ),
)

const setups = () =>
  query
    .selectFrom('payment_method_setups')
    .select(['id', 'subscription_id', 'account_id', 'status', 'provider_reference', 'asked', 'created_at'])
    .$narrowType<{ status: 'pending' | 'succeeded' | 'canceled' }>()

/** A card that a browser hands in, as it is stored. */
export type SetupRow = InferResult<ReturnType<typeof setups>>[number]

/** Makes one where none is under way. */
export const insertSetup = defineQuery(
  'insert_setup',
  (v: Pick<SetupRow, 'id' | 'subscription_id' | 'account_id'>) =>
    query
      .insertInto('payment_method_setups')
      .values({
        ...pick(v, 'id', 'subscription_id', 'account_id'),
        status: 'pending',
        created_at: nowInMs,
        ask_at: momentIn(60),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'subscription_id'])
          // Words of the index, not values: PostgreSQL has to see that they are the same.
          .where(sql<boolean>`status = 'pending'`)
          .doNothing(),
      ),
)

/** The one under way of a subscription. */
export const pendingSetup = defineQuery('pending_setup', (v: { subscription_id: string }) =>
  setups().where('subscription_id', '=', v.subscription_id).where('status', '=', 'pending'),
).single()

/** Undefined where there is none any more. */
export const findSetup = defineQuery('setup_by_id', (v: { id: string }) =>
  setups().where('id', '=', v.id),
).first()

/** The one of this account that a notice is about; it may come before the reference is recorded. */
export const findNoticedSetup = defineQuery(
  'setup_of_notice',
  (v: { account_id: string; reference: string; id: string | null }) =>
    query
      .selectFrom('payment_method_setups')
      .select('id')
      .where('account_id', '=', v.account_id)
      .where(
        sql<boolean>`(provider_reference = ${v.reference} or (id = ${v.id}::uuid and provider_reference is null))`,
      ),
).first()

interface Outcome extends Pick<SetupRow, 'id' | 'status' | 'provider_reference' | 'asked'> {
  /** Seconds until it is asked about again; null: never. */
  ask_in: number | null
}
/** Records the state of one. */
export const updateSetup = defineQuery('update_setup', (v: Outcome) =>
  query
    .updateTable('payment_method_setups')
    .set({
      ...pick(v, 'status', 'asked'),
      provider_reference: sql`coalesce(${v.provider_reference}, provider_reference)`,
      ask_at: momentIn(v.ask_in),
    })
    .where('id', '=', v.id),
)

/** Has a worker ask the provider. */
export const askAboutSetup = defineQuery('ask_about_setup', (v: { id: string }) =>
  query.updateTable('payment_method_setups').set({ ask_at: nowInMs }).where('id', '=', v.id),
)

/** Those to ask about, for this worker alone. */
export const claimSetups = defineQuery('claim_setups', (v: Claim) =>
  query
    .updateTable('payment_method_setups')
    .set({ ask_at: endOfClaim })
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

/** When the next one is to be asked about; null where none is. */
export const nextSetup = defineQuery('next_setup', () =>
  query
    .selectFrom('payment_method_setups')
    .select(sql<string | null>`min(ask_at)`.as('at'))
    .where('ask_at', 'is not', null),
)
  .map(({ at }) => at)
  .single()
