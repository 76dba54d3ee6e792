import { foldedLetters } from './words.ts'

/** A text as it is compared, and where each of its characters comes from. */
export interface Folded {
  readonly text: string
  /** The place in the original text at which the character at a place of `text` begins. */
  beginOf(place: number): number
  /** The place in the original text at which the character before a place of `text` ends, with the accents that belong to it. */
  endOf(place: number): number
}

/** Folds a text code point by code point, so that every match leads back to where it stands. */
export function fold(text: string): Folded {
  if (isAscii(text)) return { text: text.toLowerCase(), beginOf: (place) => place, endOf: (place) => place }
  const known = new Map<string, string>()
  const places: number[] = []
  let plain = ''
  let at = 0
  for (const letter of text) {
    const own = known.get(letter) ?? foldedLetters(letter)
    known.set(letter, own)
    for (let i = 0; i < own.length; i++) places.push(at)
    plain += own
    at += letter.length
  }
  places.push(at)
  const beginOf = (place: number): number => places[Math.min(place, plain.length)] ?? at
  const endOf = (place: number): number => {
    let end = place
    // One letter may be compared as several: it ends where the next one begins.
    while (end > 0 && end < plain.length && places[end] === places[place - 1]) end++
    return beginOf(end)
  }
  return { text: plain, beginOf, endOf }
}

const isAscii = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false
  return true
}
