/** A line of a bill, as far as it can be refunded. Amounts are in the currency's smallest unit. */
export interface RefundableLine {
  readonly id: string
  readonly kind: string
  readonly amount_minor: number
  /** What was credited, refunded or lost of it. */
  readonly given_back_minor: number
}

/** A part of a refund. */
export interface RefundPart {
  readonly line_id: string
  readonly amount: number
}

/** What was paid for a line and not given back. A line that gives time up, or uses credit, has nothing. */
export const roomOf = ({ kind, amount_minor, given_back_minor }: RefundableLine): number =>
  kind === 'credit' ? 0 : Math.max(0, amount_minor - given_back_minor)

/** What was paid for a bill, with money and credit, and not given back. */
export function leftOf(lines: readonly RefundableLine[]): number {
  const charged = lines.filter(({ kind }) => kind !== 'credit')
  return Math.max(
    0,
    charged.reduce((sum, line) => sum + line.amount_minor - line.given_back_minor, 0),
  )
}

/** Splits an amount over lines in their order, as far as each has room. @returns the parts, and what no line has */
export function split(
  amount: number,
  lines: readonly { readonly id: string; readonly room: number }[],
): { parts: RefundPart[]; rest: number } {
  let rest = amount
  const parts = lines.flatMap(({ id, room }): RefundPart[] => {
    const part = Math.min(rest, room)
    rest -= part
    return part > 0 ? [{ line_id: id, amount: part }] : []
  })
  return { parts, rest }
}
