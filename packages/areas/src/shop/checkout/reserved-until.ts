import { isByHand, reserveHoursOf } from '#areas/billing/service.ts'

/** How long stock is reserved for an order whose buyer pays with a provider, in minutes. */
export const RESERVED_MINUTES = 15

type Account = Parameters<typeof reserveHoursOf>[0] & Parameters<typeof isByHand>[0]

/**
 * When the stock of an order that waits for payment is free again. An order by hand waits for as many hours as its
 * product says, else its account; of several products, for the fewest hours.
 * @param now the time by the project's clock
 */
export function reservedUntil(
  now: string,
  lines: readonly { readonly reserve_hours: number | null }[],
  account: Account,
): string {
  const minutes = isByHand(account)
    ? 60 * Math.min(...lines.map(({ reserve_hours: hours }) => hours ?? reserveHoursOf(account)))
    : RESERVED_MINUTES
  return new Date(Date.parse(now) + minutes * 60_000).toISOString()
}
