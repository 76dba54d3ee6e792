import { invalidRequest } from './objects.ts'

// What Stripe refuses, in its own integers, as its page of currencies says; written apart from the table of the server.

const MINIMUMS: Readonly<Record<string, number>> = {
  ...{ usd: 50, aed: 200, ars: 50, aud: 50, brl: 50, cad: 50, chf: 50, cop: 50, czk: 1_500, dkk: 250 },
  ...{ eur: 50, gbp: 30, hkd: 400, huf: 17_500, idr: 50, ils: 50, inr: 50, jpy: 50, krw: 50, mxn: 1_000 },
  ...{ myr: 200, nok: 300, nzd: 50, php: 50, pln: 200, ron: 200, rub: 50, sek: 300, sgd: 50, thb: 1_000 },
  zar: 50,
}
/** What every amount has to be a multiple of. */
const DIVISORS: Readonly<Record<string, number>> = {
  ...{ isk: 100, ugx: 100, bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 },
}

/** @throws StripeFault 400 for what is no integer above 0, or has a last digit that the currency does not allow */
export function assertInteger(amount: number, currency: string): void {
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw invalidRequest('parameter_invalid_integer', `Invalid positive integer: ${amount}`)
  const divisor = DIVISORS[currency] ?? 1
  if (amount % divisor !== 0)
    throw invalidRequest(
      'parameter_invalid_integer',
      `Amount must be a multiple of ${divisor} in ${currency}`,
    )
}

/**
 * @param bankMinimums minimums of the account's bank, converted, by currency of the charge
 * @throws StripeFault 400 for an amount that no payment can have
 */
export function assertChargeable(
  amount: number,
  currency: string,
  bankMinimums: ReadonlyMap<string, number>,
): void {
  assertInteger(amount, currency)
  const least = Math.max(MINIMUMS[currency] ?? 0, bankMinimums.get(currency) ?? 0)
  if (amount < least)
    throw invalidRequest('amount_too_small', `Amount must be at least ${least} in ${currency}`)
}
