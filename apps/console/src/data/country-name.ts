import { spokenLanguage } from './words.ts'

/** A country by its code, in the operator's language. */
export const countryName = (code: string): string => {
  try {
    return new Intl.DisplayNames([spokenLanguage()], { type: 'region', fallback: 'code' }).of(code) ?? code
  } catch {
    // A site can send anything.
    return code
  }
}
