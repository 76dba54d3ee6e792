import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { findDefaultAccount, findLiveAccount } from './account-queries.ts'

/**
 * The account that something is to be paid with. @param named where a client named one
 * @throws ApiError 422 for an account that there is not, or that takes no new payments
 */
export async function accountFor(ctx: Context, named: string | undefined): Promise<string | null> {
  return accountIn(named, await askForAccount(ctx, named))
}

/** The question of `accountFor`, to be asked together with others; `accountIn` reads its answer. */
export const askForAccount = (ctx: Context, named: string | undefined) =>
  named === undefined ? findDefaultAccount(ctx) : findLiveAccount(ctx, named)

/** @throws ApiError 422 for an account that was named and that there is not, or that takes no new payments */
export function accountIn(named: string | undefined, found: { id: string } | undefined): string | null {
  if (named !== undefined && found === undefined)
    throw invalidField('payment_account_id', 'exists', 'is not a payment account of this project')
  return found?.id ?? null
}
