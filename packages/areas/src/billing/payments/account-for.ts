import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { findDefaultAccount, findLiveAccount } from './account-queries.ts'

/** How long the stock of an unpaid order by hand is reserved, in hours: by default, and at the most. */
export const RESERVE_HOURS = 168
export const LONGEST_RESERVE_HOURS = 8_760

/** An account that new things may be paid with. */
export interface ChosenAccount {
  readonly id: string
  readonly provider: string
  readonly settings: unknown
}

/**
 * The account that something is to be paid with. @param named where a client named one
 * @throws ApiError 422 for an account that there is not, or that takes no new payments
 */
export async function accountFor(ctx: Context, named: string | undefined): Promise<string | null> {
  return accountIn(named, await askForAccount(ctx, named))
}

/**
 * The question of `accountFor`, to be asked together with others; `accountIn` reads its answer. A member's token pays
 * with the default account only.
 */
export const askForAccount = (ctx: Context, named: string | undefined) =>
  named === undefined || ctx.actor.kind === 'member' ? findDefaultAccount(ctx) : findLiveAccount(ctx, named)

/** @throws ApiError 422 for an account that was named and that there is not, or that the caller cannot pay with */
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
