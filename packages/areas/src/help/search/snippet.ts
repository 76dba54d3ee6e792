import { normal } from '#platform/search/words.ts'
import { html } from '#platform/values/html.ts'

/** Characters of a text that a result shows. */
const SNIPPET_LENGTH = 280
/** Characters of it before the first word that was found. */
const BEFORE = 60
/** Characters of a text in which words are looked for. */
export const SEARCHED_LENGTH = 20_000

/** Scripts that put no spaces between words: there a word begins anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Words of a query that are marked at the most. */
const MOST_WORDS = 20
/** A word is marked in its other forms, too: `installed` where `installing` was sought. */
const SHORTEST_STEM = 4
const LONGEST_ENDING = 3
/** Within other words only parts of some length are marked, as compounds have them. */
const SHORTEST_INNER = 4

/** What is marked of a query, as it is compared: its words, without accents and the endings of long ones. */
export function marksOf(search: string): string[] {
  const words = normal(search).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(words.slice(0, MOST_WORDS).map(stemOf))]
}

function stemOf(word: string): string {
  const letters = [...word]
  if (UNSPACED.test(word) || letters.length <= SHORTEST_STEM) return word
  return letters.slice(0, Math.max(SHORTEST_STEM, letters.length - LONGEST_ENDING)).join('')
}

/** A letter with what belongs to it: accents, and the voice marks of narrow kana. */
const LETTERS = /.[\p{M}\uff9e\uff9f\u0640]*/gsu

/** A text as it is compared, and where each of its characters stands in the text. */
interface Compared {
  readonly text: string
  /** The beginning in the text of each character, and the end of the text. */
  readonly places: readonly number[]
}

function compared(text: string): Compared {
  let plain = ''
  const places: number[] = []
  for (const { 0: letter, index } of text.matchAll(LETTERS)) {
    const own = normal(letter)
    plain += own
    for (let i = 0; i < own.length; i++) places.push(index)
  }
  return { text: plain, places: [...places, text.length] }
}

/** Words that begin like one of the marks; where there is none, the marks within other words. */
function matchesIn(text: string, marks: readonly string[]): RegExpExecArray[] {
  if (marks.length === 0) return []
  const begin = [...text.matchAll(new RegExp(marks.map(wordWith).join('|'), 'gu'))]
  if (begin.length > 0) return begin
  const inner = marks.filter((mark) => mark.length >= SHORTEST_INNER)
  return inner.length === 0 ? [] : [...text.matchAll(new RegExp(inner.join('|'), 'gu'))]
}

/** Marks are letters and digits alone, so that nothing in them is an operator. */
const wordWith = (mark: string): string =>
  UNSPACED.test(mark) ? mark : `(?<![\\p{L}\\p{N}])${mark}[\\p{L}\\p{N}\\p{M}]*`

/**
 * A text as HTML: escaped, with the words of a query in `<mark>`, however they are accented or wide.
 * @param marks from `marksOf`
 */
export function highlight(text: string, marks: readonly string[]): string {
  const { text: plain, places } = compared(text)
  let shown = ''
  let end = 0
  for (const { 0: found, index } of matchesIn(plain, marks)) {
    const [from, to] = [places[index] as number, places[index + found.length] as number]
    shown += html`${text.slice(end, from)}<mark>${text.slice(from, to)}</mark>`.text
    end = to
  }
  return shown + html`${text.slice(end)}`.text
}

/**
 * The part of a text around the first word of a query, marked.
 * @param marks from `marksOf`
 */
export function snippetOf(text: string, marks: readonly string[]): string {
  const plain = normal(text)
  const at = matchesIn(plain, marks)[0]?.index ?? 0
  // Comparing changes the length of a text a little, so that its part is cut by proportion.
  const place = plain.length === 0 ? 0 : Math.round((at * text.length) / plain.length)
  const start = Math.max(0, place - BEFORE)
  // Not between the halves of a character.
  const piece = text.slice(start, start + SNIPPET_LENGTH).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  return highlight(piece, marks)
}
