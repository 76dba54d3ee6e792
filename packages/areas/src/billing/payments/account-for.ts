import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { findDefaultAccount, findLiveAccount } from './account-queries.ts'

/**
 * The account that something is to be paid with. @param named where a client named one
 * @throws ApiError 422 for an account that there is not, or that takes no new payments
 */
export async function accountFor(ctx: Context, named: string | undefined): Promise<string | null> {
  const account = await (named === undefined ? findDefaultAccount(ctx) : findLiveAccount(ctx, named))
  if (named !== undefined && account === undefined)
    throw invalidField('payment_account_id', 'exists', 'is not a payment account of this project')
  return account?.id ?? null
}
