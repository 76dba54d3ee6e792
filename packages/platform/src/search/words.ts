import anyAscii from 'any-ascii'

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu

/** Accents of Latin, Greek and Cyrillic letters, and the tone marks of Thai and Lao. */
const MARKS = /[\u0300-\u036f\u0e47-\u0e4e\u0ec8-\u0ecd]/g

/** The same word typed with other accents, widths or in another case. */
const normal = (text: string): string =>
  text.normalize('NFKD').replaceAll(MARKS, '').normalize('NFC').toLowerCase().replaceAll('\0', ' ')

/** Overlapping pairs, so that every part of a text without spaces is found by its neighbours. */
function pairsOf(run: string): string[] {
  const letters = [...run]
  return letters.length < 2 ? letters : letters.slice(1).map((letter, i) => `${letters[i]}${letter}`)
}

/**
 * A text in Latin letters, as it sounds: what trigrams compare, which know no other letters in a database of locale C.
 * So a wrong letter is forgiven in any script, and in Chinese a wrong character of the same sound.
 */
export const spellingOf = (text: string): string => anyAscii(normal(text)).toLowerCase().trim()

/** So few characters without spaces sound like too many other words to guess by. */
const SHORTEST_GUESS = 3
const isTooShort = (text: string): boolean => {
  const letters = text.match(/[\p{L}\p{N}]+/gu)?.join('') ?? ''
  return letters.replaceAll(UNSPACED, '') === '' && [...letters].length < SHORTEST_GUESS
}

/** A text as PostgreSQL's parser can tell its words apart. */
export const wordsOf = (text: string): string =>
  normal(text).replaceAll(UNSPACED, (run) => ` ${pairsOf(run).join(' ')} `)

/** What somebody typed, as PostgreSQL is asked. */
export interface Typed {
  readonly words: string
  /** Whether the last word may go on: what is still being typed finds already. */
  readonly isUnfinished: boolean
  /** For titles that are spelled alike, in Latin letters. */
  readonly typed: string
}

/** The query of a search. Nothing that can be typed is an error; what is no word finds nothing. */
export function queryOf(text: string): Typed {
  const typed = normal(text)
  const words = typed.replaceAll(UNSPACED, (run) => {
    const pairs = pairsOf(run)
    return pairs.length < 2 ? ` ${run} ` : ` "${pairs.join(' ')}" `
  })
  return {
    words,
    isUnfinished: /[\p{L}\p{N}]\s?$/u.test(words) && !/\s$/.test(text),
    typed: isTooShort(typed) ? '' : spellingOf(text),
  }
}
