import anyAscii from 'any-ascii'

/** Runs of scripts that put no spaces between words. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu

/**
 * Accents of Latin, Greek and Cyrillic letters, the points of Hebrew, the vowels, hamzas and the stretching line of Arabic,
 * and the tone marks of Thai and Lao.
 */
const MARKS =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0e47-\u0e4e\u0ec8-\u0ecd]/g

/** The same word typed with other accents, widths or in another case. */
export const normal = (text: string): string =>
  text.normalize('NFKD').replaceAll(MARKS, '').normalize('NFC').toLowerCase().replaceAll('\0', ' ')

/** A code point of a text as matches are looked for: without accents and case, and in its parts, as some texts write it anyway. */
export const foldedLetters = (letter: string): string =>
  letter.normalize('NFKD').replaceAll(MARKS, '').toLowerCase().replaceAll('ς', 'σ')

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

/** A word in the letters and digits that trigrams know. */
export const soundOf = (word: string): string =>
  anyAscii(word)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')

const SHORTEST_PART = 4
/** From here on each half of a word is long enough to be looked up by its trigrams. */
const SHORTEST_MISSPELLED = 6
const LONGEST_PART = 40
const MOST_PARTS = 8
/** Characters of a document's words that are kept. */
const LONGEST_VOCABULARY = 60_000

/** The long words of a text, each once, as they sound in Latin letters. */
function longWordsOf(text: string): string[] {
  const words = new Set(
    normal(text)
      .replaceAll(UNSPACED, ' ')
      .match(/[\p{L}\p{N}\p{M}]+/gu),
  )
  const spelled = [...words].map(soundOf)
  return [...new Set(spelled)].filter((word) => word.length >= SHORTEST_PART && word.length <= LONGEST_PART)
}

/** The long words of a document between spaces: they are searched where no document has the words that were typed. */
export const vocabularyOf = (text: string): string =>
  ` ${longWordsOf(text).join(' ').slice(0, LONGEST_VOCABULARY)} `

/** The patterns of texts that have a word within another word, or with one wrong letter in one of its halves. */
function patternsOf(word: string): string[] {
  const whole = `%${word}%`
  const half = Math.floor(word.length / 2)
  return word.length < SHORTEST_MISSPELLED
    ? [whole]
    : [whole, `% ${word.slice(0, half)}%`, `%${word.slice(-half)} %`]
}

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
  /** Its long words, for texts that have them within other words or spelled alike. */
  readonly parts: readonly string[]
  /** The patterns of the longest of them. */
  readonly likes: readonly string[]
  /** It has phrases or excludes words: nothing is guessed. */
  readonly isExact: boolean
}

/** The query of a search. Nothing that can be typed is an error; what is no word finds nothing. */
export function queryOf(text: string): Typed {
  const typed = normal(text)
  const words = typed.replaceAll(UNSPACED, (run) => {
    const pairs = pairsOf(run)
    return pairs.length < 2 ? ` ${run} ` : ` "${pairs.join(' ')}" `
  })
  const isExact = /"|(?<![\p{L}\p{N}\p{M}])-/u.test(text)
  const parts = isExact ? [] : longWordsOf(text).slice(0, MOST_PARTS)
  const [longest] = parts.toSorted((a, b) => b.length - a.length)
  return {
    isExact,
    parts,
    likes: longest === undefined ? [] : patternsOf(longest),
    words,
    isUnfinished: /[\p{L}\p{N}]\s?$/u.test(words) && !/\s$/.test(text),
    typed: isTooShort(typed) ? '' : spellingOf(text),
  }
}

/** A phrase, or what is not to be found: `-word`, `-"some words"`. */
const PHRASES = /("[^"]*"?)|(?<![\p{L}\p{N}\p{M}])-\s*(?:"[^"]*"?|[^\s"]*[\p{L}\p{N}][^\s"]*)/gu

/** What somebody typed, without what they want left out. */
export const withoutExcluded = (text: string): string =>
  text.replaceAll(PHRASES, (_, phrase?: string) => phrase ?? ' ')
