import { fromMinor, toMinor } from '../../../ui/money/digits.ts'

interface Line {
  readonly id: string
  readonly quantity: number
  readonly refunded_quantity: number
  readonly total: number
}

interface Paid {
  readonly currency: string
  readonly paid_amount: number
  readonly refunded_amount: number
  readonly lines: readonly Line[]
}

/** What of an order can still be paid back. */
export const leftOf = ({ currency, paid_amount: paid, refunded_amount: refunded }: Paid): number =>
  fromMinor(toMinor(paid, currency) - toMinor(refunded, currency), currency)

/**
 * What was paid for pieces of an order: the parts of a line add up to the whole of it. It is never more than what is left.
 * @param pieces how many of each line, by its id
 */
export function amountOf(order: Paid, pieces: Readonly<Record<string, number>>): number {
  const { currency } = order
  const minor = order.lines.reduce((sum, line) => {
    const total = BigInt(toMinor(line.total, currency))
    const upTo = (count: number) => (total * BigInt(count)) / BigInt(line.quantity)
    const { refunded_quantity: before } = line
    return sum + Number(upTo(before + (pieces[line.id] ?? 0)) - upTo(before))
  }, 0)
  return fromMinor(Math.min(minor, toMinor(leftOf(order), currency)), currency)
}
