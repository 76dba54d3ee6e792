import { now } from '#platform/db/project-clock.ts'
import { lookup, query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

const columns = ['id', 'provider', 'sealed_secrets', 'publishable_key'] as const
/** Of an account that something is to be paid with. */
const chosen = ['id', 'provider', 'settings'] as const

const byId = lookup('account_secrets', (v: { id: string }) =>
  query.selectFrom('payment_accounts').select(columns).where('id', '=', v.id),
)
/** An account with its sealed secrets, archived ones included: what was begun with one is ended with it. */
export const findAccount = (ctx: Context, id: string) => ctx.tx.first(byId, { id })

const byDefault = lookup('default_account', () =>
  query.selectFrom('payment_accounts').select(chosen).where('is_default', '=', true),
)
/** The project's default account; undefined where money is taken by hand. */
export const findDefaultAccount = (ctx: Context) => ctx.tx.first(byDefault, {})

const live = lookup('live_account', (v: { id: string }) =>
  query.selectFrom('payment_accounts').select(chosen).where('id', '=', v.id).where('archived_at', 'is', null),
)
/** An account that new things may be paid with. */
export const findLiveAccount = (ctx: Context, id: string) => ctx.tx.first(live, { id })

const payer = lookup('payer', (v: { account_id: string; member_id: string }) =>
  query
    .selectFrom('members as m')
    .leftJoin('payment_customers as c', (on) =>
      on.onRef('c.member_id', '=', 'm.id').on('c.account_id', '=', v.account_id),
    )
    .select(['m.email', 'm.full_name', 'c.customer_ref'])
    .where('m.id', '=', v.member_id),
)
/** Who pays, and what the provider calls them. */
export const findPayer = (ctx: Context, account_id: string, member_id: string) =>
  ctx.tx.first(payer, { account_id, member_id })

const put = statement(
  'put_customer',
  (v: { id: string; account_id: string; member_id: string; customer_ref: string }) =>
    query
      .insertInto('payment_customers')
      .values({
        id: v.id,
        account_id: v.account_id,
        member_id: v.member_id,
        customer_ref: v.customer_ref,
        updated_at: now,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'account_id', 'member_id'])
          .doUpdateSet({ customer_ref: v.customer_ref, updated_at: now }),
      ),
)
export const putCustomer = (
  ctx: Context,
  customer: { id: string; account_id: string; member_id: string; customer_ref: string },
) => ctx.tx.run(put, customer)

const notice = statement(
  'insert_notice',
  (v: { id: string; account_id: string; reference: string; type: string }) =>
    query
      .insertInto('payment_notices')
      .values({
        id: v.id,
        account_id: v.account_id,
        reference: v.reference,
        type: v.type,
        received_at: now,
      })
      .onConflict((conflict) => conflict.columns(['project_id', 'account_id', 'reference']).doNothing())
      .returning('id'),
)
/** Undefined where it came before. */
export const insertNoticeRow = (
  ctx: Context,
  row: { id: string; account_id: string; reference: string; type: string },
) => ctx.tx.first(notice, row)
