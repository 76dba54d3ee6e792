import { InvalidArgumentError } from 'commander'

/** The parts of a text between commas. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** @throws InvalidArgumentError for what is not a whole number of 1 or more */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('must be a whole number, 1 or more')
  return Number(text)
}

/** @throws InvalidArgumentError for what is not a whole number of 0 or more */
export const wholeNumberOrZero = (text: string): number => (text === '0' ? 0 : wholeNumber(text))

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds. @throws InvalidArgumentError for what is not a number and a unit */
export function duration(text: string): number {
  const [, count, unit = ''] = /^([1-9]\d*)([mhd])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('must be a duration like 90d, 12h or 30m')
  return Number(count) * (UNITS[unit] as number)
}
