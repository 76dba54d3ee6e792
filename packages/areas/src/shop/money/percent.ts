/** Percentages have three digits after the point at the most, and are kept in thousandths. */
export const toMilli = (percent: number): number => Math.round(percent * 1_000)
export const fromMilli = (milli: number): number => milli / 1_000

/** So many thousandths of a percent of an amount, half up to the currency's smallest unit. */
export const percentOf = (minor: number, milli: number): number =>
  divideHalfUp(BigInt(minor) * BigInt(milli), 100_000n)

/** The tax that a price includes: price × p / (100 + p), half up. */
export const taxIncluded = (minor: number, milli: number): number =>
  divideHalfUp(BigInt(minor) * BigInt(milli), 100_000n + BigInt(milli))

/** A quotient of numbers that are not negative, half up. BigInt, because products pass 2^53. */
export const divideHalfUp = (dividend: bigint, divisor: bigint): number =>
  Number((2n * dividend + divisor) / (2n * divisor))
