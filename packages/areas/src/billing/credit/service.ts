import { lockLiveMember } from '#areas/entitlements/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField, notFound } from '#platform/errors.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { fromMinor, isCurrency, toMinor } from '#platform/values/money.ts'
import { creditInsufficient } from '../errors.ts'
import { readBalances, writeEntries } from './ledger.ts'
import { getEntry } from './queries.ts'
import type { NewCreditEntry } from './schema.ts'

/**
 * Gives a member credit as an operator decided, or takes some. Nobody is made to owe by it.
 * @returns the entry and the balance after it
 * @throws ApiError 404; 422 CREDIT_INSUFFICIENT, or for an amount that is zero or has too many decimals
 */
export async function createEntry(
  ctx: Context,
  memberId: string,
  { amount, currency, reason }: NewCreditEntry,
) {
  const amountMinor = toMinor(amount, currency)
  if (!isCurrency(currency)) throw invalidField('currency', 'currency', 'must be a currency of ISO 4217')
  if (amountMinor === undefined)
    throw invalidField('amount', 'decimals', `has more decimals than ${currency} has`)
  if (amountMinor === 0) throw invalidField('amount', 'value', 'must not be 0')
  if (!(await lockLiveMember(ctx, { id: memberId }))) throw notFound('Member')
  const before = (await readBalances(ctx, [memberId]))(memberId, currency)
  if (amountMinor < 0 && before + amountMinor < 0) throw creditInsufficient()
  const id = newUuid()
  writeEntries(ctx, [{ id, memberId, currency, amountMinor, kind: 'operator', reason }])
  audit(ctx, {
    action: 'credit.create',
    target: toId('member', memberId),
    reason,
    after: { amount, currency },
  })
  const entry = await getEntry(ctx, { id })
  return { entry, balance: fromMinor(before + amountMinor, currency) }
}
