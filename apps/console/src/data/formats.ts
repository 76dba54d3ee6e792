import { spokenLanguage } from './words.ts'

const dates = new Map<string, Intl.DateTimeFormat>()
const numbers = new Map<string, Intl.NumberFormat>()

/** A format of dates in the operator's language. It is kept: to make one takes longer than all else of a row. */
export const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  keptOf(dates, options, (language) => new Intl.DateTimeFormat(language, options))

/** A format of numbers in the operator's language, which is kept as well. */
export const numberFormat = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  keptOf(numbers, options, (language) => new Intl.NumberFormat(language, options))

function keptOf<Format>(kept: Map<string, Format>, options: object, make: (language: string) => Format) {
  const language = spokenLanguage()
  const name = `${language} ${JSON.stringify(options)}`
  const known = kept.get(name) ?? make(language)
  kept.set(name, known)
  return known
}
