import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { IS_HELD } from '#platform/db/resting.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'

/** How long the stock of an unpaid order by hand is reserved, in hours: by default, and at the most. */
export const RESERVE_HOURS = 168
export const LONGEST_RESERVE_HOURS = 8_760

/**
 * An account with its sealed secrets, archived ones included, because payments end with the account with which they
 * began.
 */
export const findAccount = defineLookup('account_secrets', (v: { id: string }) =>
  query
    .selectFrom('payment_accounts')
    .select(['id', 'provider', 'sealed_secrets', 'publishable_key'])
    .select(sql<boolean>`${sql.raw(IS_HELD)}`.as('is_held'))
    .where('id', '=', v.id),
).first()

/** An account that new things may be paid with. */
export interface ChosenAccount {
  readonly id: string
  readonly provider: string
  readonly settings: unknown
}
const chosen = () => query.selectFrom('payment_accounts').select(['id', 'provider', 'settings'])

/** The project's default account; undefined where money is taken by hand. */
export const findDefaultAccount = defineLookup('default_account', () =>
  chosen().where('is_default', '=', true),
).first()

/** An account that new things may be paid with. */
const findLiveAccount = defineLookup('live_account', (v: { id: string }) =>
  chosen().where('id', '=', v.id).where('archived_at', 'is', null),
).first()

/**
 * The account that something is to be paid with. @param named where a client named one
 * @throws ApiError 422 for an account that does not exist, or that takes no new payments
 */
export async function accountFor(ctx: Context, named: string | undefined): Promise<string | null> {
  return accountIn(named, await ctx.tx.ask(askForAccount(ctx, named)))
}

/**
 * The question of `accountFor`, to be asked together with others; `accountIn` reads its answer. A member's token pays
 * with the default account only.
 */
export const askForAccount = ({ actor }: Context, named: string | undefined) =>
  named === undefined || actor.kind === 'member' ? findDefaultAccount() : findLiveAccount({ id: named })

/** @throws ApiError 422 for an account that was named and that does not exist, or that the caller cannot pay with */
export function accountIn(named: string | undefined, found: { id: string } | undefined): string | null {
  if (named !== undefined && found?.id !== named)
    throw invalidField('payment_account_id', 'exists', 'is not a payment account that you can pay with')
  return found?.id ?? null
}

/** Whether money is taken by hand: with an account that is `manual`, or without one. */
export const isByHand = (account: Pick<ChosenAccount, 'provider'> | undefined): boolean =>
  account === undefined || account.provider === 'manual'

/** How long the stock of an unpaid order by hand is reserved, in hours, as its account says. */
export function reserveHoursOf(account: Pick<ChosenAccount, 'settings'> | undefined): number {
  const { reserve_hours: hours } = (account?.settings ?? {}) as { reserve_hours?: unknown }
  // Settings were free-form once, so that anything may be there.
  const isHours = typeof hours === 'number' && Number.isInteger(hours) && hours >= 1
  return isHours ? Math.min(hours, LONGEST_RESERVE_HOURS) : RESERVE_HOURS
}

/** Who pays, and what the provider calls them. */
export const findPayer = defineLookup('payer', (v: { account_id: string; member_id: string }) =>
  query
    .selectFrom('members as m')
    .leftJoin('payment_customers as c', (on) =>
      on.onRef('c.member_id', '=', 'm.id').on('c.account_id', '=', v.account_id),
    )
    .select(['m.email', 'm.full_name', 'c.customer_ref'])
    .where('m.id', '=', v.member_id),
).first()

export const putCustomer = defineQuery(
  'put_customer',
  (v: { id: string; account_id: string; member_id: string; customer_ref: string }) =>
    query
      .insertInto('payment_customers')
      .values({ ...pick(v, 'id', 'account_id', 'member_id', 'customer_ref'), updated_at: now })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'account_id', 'member_id'])
          .doUpdateSet({ customer_ref: v.customer_ref, updated_at: now }),
      ),
)

/** Notes a notice of a provider. Undefined where it came before. */
export const insertNotice = defineQuery(
  'insert_notice',
  (v: { id: string; account_id: string; reference: string; type: string }) =>
    query
      .insertInto('payment_notices')
      .values({ ...pick(v, 'id', 'account_id', 'reference', 'type'), received_at: now })
      .onConflict((conflict) => conflict.columns(['project_id', 'account_id', 'reference']).doNothing())
      .returning('id'),
).first()
