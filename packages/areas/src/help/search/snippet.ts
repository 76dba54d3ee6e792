import { html } from '#platform/values/html.ts'

/** Characters of a text that are looked at around what was found. */
export const SNIPPET_LENGTH = 280

/** Scripts that put no spaces between words: there a word begins anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Words of a query that are marked at the most. */
const MOST_WORDS = 20
/** A word is marked in its other forms, too: `installed` where `installing` was sought. */
const SHORTEST_STEM = 4
const LONGEST_ENDING = 3

/** What is marked of a query, in lower case: its words, without the endings of long ones. */
export function marksOf(search: string): string[] {
  const words = search.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(words.slice(0, MOST_WORDS).map(stemOf))]
}

function stemOf(word: string): string {
  const letters = [...word]
  if (UNSPACED.test(word) || letters.length <= SHORTEST_STEM) return word
  return letters.slice(0, Math.max(SHORTEST_STEM, letters.length - LONGEST_ENDING)).join('')
}

/**
 * A piece of a text as HTML: escaped, with every word that begins like one of the marks in `<mark>`.
 * @param marks from `marksOf`
 */
export function highlight(text: string, marks: readonly string[]): string {
  if (marks.length === 0) return html`${text}`.text
  const found = new RegExp(marks.map(patternOf).join('|'), 'giu')
  let shown = ''
  let end = 0
  for (const match of text.matchAll(found)) {
    shown += html`${text.slice(end, match.index)}<mark>${match[0]}</mark>`.text
    end = match.index + match[0].length
  }
  return shown + html`${text.slice(end)}`.text
}

/** Marks are letters and digits alone, so that nothing in them is an operator. */
const patternOf = (mark: string): string =>
  UNSPACED.test(mark) ? mark : `(?<![\\p{L}\\p{N}])${mark}[\\p{L}\\p{N}\\p{M}]*`
