import type { Bill } from '@guildhall/sdk'
import { fromMinor, toMinor } from '../../../ui/money/digits.ts'

/** What of a paid bill can still be given back, as far as the bill itself shows it. */
export const leftOf = ({ total, amount_refunded: refunded, currency }: Bill): number =>
  fromMinor(toMinor(total, currency) - toMinor(refunded, currency), currency)

/** What is left of each line that was charged. Refunds that failed count for nothing. */
export function linesLeft({ lines, refunds, currency }: Bill): ReadonlyMap<string, number> {
  const left = new Map(
    lines.flatMap(({ id, amount }) => (amount > 0 ? [[id, toMinor(amount, currency)] as const] : [])),
  )
  for (const refund of refunds)
    if (refund.status !== 'failed')
      for (const { id, amount } of refund.lines) left.set(id, (left.get(id) ?? 0) - toMinor(amount, currency))
  return new Map([...left].map(([id, minor]) => [id, fromMinor(Math.max(minor, 0), currency)]))
}
