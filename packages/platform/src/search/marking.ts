import { html } from '../values/html.ts'
import { type Folded, fold } from './folding.ts'
import { soundOf, UNSPACED, withoutExcluded } from './words.ts'

/**
 * Shows matches in `<mark>`, always as whole words, and of a long text the piece with most of them. Each word of a query
 * is looked for in four ways, and marked in the first way by which anything is found: as it is or in another form, within
 * another word (`Fristen` in `Kündigungsfristen`), by its sound, and misspelled.
 *
 *     const marks = marksOf(q)
 *     hits.map(({ title, text }) => showFound(marks, { title, text }))   // { title_html, snippet }
 */
export interface Marks {
  readonly terms: readonly Term[]
}

/** One word that was sought, folded. */
interface Term {
  readonly text: string
  /** Of a script without spaces between words. */
  readonly isUnspaced: boolean
}

/** Characters of a text that a result shows. */
const SNIPPET_LENGTH = 280
/** Characters of a text in which words are looked for: more need not be read. */
export const SEARCHED_LENGTH = 20_000
/** A piece does not begin or end within a word, unless the word is longer. */
const LONGEST_CUT = 30
/** Words of a query that are marked at the most. */
const MOST_TERMS = 20
/** A long word is marked in its other forms, too: `installed` where `installing` was sought. */
const SHORTEST_STEM = 4
const LONGEST_ENDING = 3
/** Of shorter words the last letter alone may differ: `Beitreten` is no form of `Beitrag`. */
const LONG_WORD = 8
/** Shorter words are marked with one more letter at the most: `ap` in `app`, and not in all words that begin with it. */
const SHORTEST_BEGINNING = 3
/** Shorter words are not looked for within other words, and not guessed. */
const SHORTEST_PART = 4
/** The part of a word's trigrams that a misspelled one has at least. */
const LEAST_ALIKE = 0.4

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const UNSPACED_RUN = new RegExp(`(?:${UNSPACED.source.replace(/\+$/, '')}\\p{M}*)+`, 'gu')

/** What is marked of a query: its words, without those that it excludes. */
export function marksOf(search: string): Marks {
  const words = wordsIn(fold(withoutExcluded(search)).text).filter(
    ({ text }, _, { length }) => text !== 'or' || length < 2,
  )
  const terms = new Map(words.map(({ text, isUnspaced }) => [text, { text, isUnspaced }]))
  return { terms: [...terms.values()].slice(0, MOST_TERMS) }
}

/** A word of a folded text, and where it stands. */
interface Word extends Term {
  readonly at: number
}

/** The words of a folded text; a run without spaces is one. */
function wordsIn(folded: string): Word[] {
  return [...folded.matchAll(WORD)].flatMap(({ 0: run, index }) => {
    const parts: Word[] = []
    let end = 0
    const add = (from: number, to: number, isUnspaced: boolean) => {
      if (to > from) parts.push({ text: run.slice(from, to), isUnspaced, at: index + from })
    }
    for (const { 0: unspaced, index: from } of run.matchAll(UNSPACED_RUN)) {
      add(end, from, false)
      end = from + unspaced.length
      add(from, end, true)
    }
    add(end, run.length, false)
    return parts
  })
}

/** Something found in a folded text. */
interface Match {
  readonly from: number
  readonly to: number
  readonly term: Term
}

/** A way of looking for a word. */
type Way = (term: Term, folded: string, words: readonly Word[]) => Match[]

const whole = (term: Term, { at, text }: Word): Match => ({ from: at, to: at + text.length, term })
const wordsBy =
  (isMatch: (term: Term, word: string) => boolean): Way =>
  (term, _, words) =>
    words.filter((word) => !word.isUnspaced && isMatch(term, word.text)).map((word) => whole(term, word))

/** All places of a text without spaces, none of which ends before the accents of its last letter. */
function placesOf(term: Term, folded: string): Match[] {
  const found: Match[] = []
  for (let at = folded.indexOf(term.text); at >= 0; at = folded.indexOf(term.text, at + term.text.length)) {
    const to = at + term.text.length
    if (!/^\p{M}/u.test(folded.slice(to, to + 1))) found.push({ from: at, to, term })
  }
  return found
}

/** A word that begins like the term, is the term without its ending, or differs in the ending: `installed`, `installing`. */
function isForm({ text }: Term, word: string): boolean {
  if (word.startsWith(text)) return text.length >= SHORTEST_BEGINNING || word.length <= text.length + 1
  const same = sameBeginning(text, word)
  const ending = same === word.length || text.length >= LONG_WORD ? LONGEST_ENDING : 1
  return same >= Math.max(SHORTEST_STEM, text.length - ending) && same * 2 >= word.length
}

function sameBeginning(one: string, other: string): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return same
}

const asForm = wordsBy(isForm)
const withinWord = wordsBy(({ text }, word) => text.length >= SHORTEST_PART && word.includes(text))

/** Words that are spelled most like the term, in Latin letters. */
const misspelled: Way = (term, _, words) => {
  const sought = soundOf(term.text)
  if (sought.length < SHORTEST_PART) return []
  const sounds = new Map<string, number>()
  const wanted = trigramsOf(sought)
  for (const { text, isUnspaced } of words)
    if (!isUnspaced && !sounds.has(text)) sounds.set(text, likeness(sought, wanted, soundOf(text)))
  const best = Math.max(LEAST_ALIKE, ...sounds.values())
  return words.filter(({ text }) => sounds.get(text) === best).map((word) => whole(term, word))
}

/** The part of a word's trigrams that another word has; 1 where it has the word within. */
function likeness(sought: string, wanted: ReadonlySet<string>, word: string): number {
  if (word.includes(sought)) return 1
  const has = trigramsOf(word)
  let common = 0
  for (const trigram of wanted) if (has.has(trigram)) common++
  return common / wanted.size
}

/** As PostgreSQL makes them: of a word with two spaces before it and one behind. */
function trigramsOf(word: string): Set<string> {
  const padded = `  ${word} `
  const all = new Set<string>()
  for (let i = 0; i + 3 <= padded.length; i++) all.add(padded.slice(i, i + 3))
  return all
}

/** The places of a text without spaces that sound like the term. */
const bySound: Way = (term, _, words) => {
  const sought = soundOf(term.text)
  if (sought.length < SHORTEST_PART) return []
  return words
    .filter(({ isUnspaced }) => isUnspaced)
    .flatMap(({ text, at }) => {
      const letters = [...text.matchAll(/./gsu)].map(({ 0: letter, index }) => ({
        index,
        sound: soundOf(letter),
      }))
      const found: Match[] = []
      for (let i = 0; i < letters.length; i++) {
        let heard = letters[i]?.sound ?? ''
        if (heard === '') continue
        let end = i + 1
        while (end < letters.length && heard.length < sought.length) heard += letters[end++]?.sound
        if (heard !== sought) continue
        found.push({
          from: at + (letters[i]?.index ?? 0),
          to: at + (letters[end]?.index ?? text.length),
          term,
        })
        i = end - 1
      }
      return found
    })
}

/** The pairs of letters that a text without spaces has in common with the term. */
const byPairs: Way = (term, folded) => {
  const letters = term.text.match(/.\p{M}*/gsu) ?? []
  return letters
    .slice(1)
    .flatMap((letter, i) => placesOf({ ...term, text: `${letters[i]}${letter}` }, folded))
}

const SPACED: readonly Way[] = [asForm, withinWord, misspelled]
const WITHOUT_SPACES: readonly Way[] = [placesOf, bySound, byPairs]

interface Looked {
  readonly text: string
  readonly folded: Folded
  readonly words: readonly Word[]
}
const look = (text: string): Looked => {
  const folded = fold(text)
  return { text, folded, words: wordsIn(folded.text) }
}

/** The places of several texts that are marked, in order and apart from each other, as they stand in the texts. */
function matchesIn(texts: readonly Looked[], { terms }: Marks): Match[][] {
  const found: Match[][] = texts.map(() => [])
  for (const term of terms) {
    for (const way of term.isUnspaced ? WITHOUT_SPACES : SPACED) {
      const each = texts.map(({ folded, words }) => way(term, folded.text, words))
      for (const [i, matches] of each.entries()) found[i]?.push(...matches)
      if (each.some(({ length }) => length > 0)) break
    }
  }
  return found.map((matches, i) => apart(matches, (texts[i] as Looked).folded))
}

/** Matches in the places of the original text; those that overlap are one. */
function apart(matches: readonly Match[], folded: Folded): Match[] {
  const placed = matches
    .map(({ from, to, term }) => ({ from: folded.beginOf(from), to: folded.endOf(to), term }))
    .sort((a, b) => a.from - b.from)
  const all: Match[] = []
  for (const match of placed) {
    const last = all.at(-1)
    if (last === undefined || match.from >= last.to) all.push(match)
    else if (match.to > last.to) all[all.length - 1] = { ...last, to: match.to }
  }
  return all
}

/** A part of a text as HTML, with what was found in it in marks. */
function marked(text: string, matches: readonly Match[], start = 0, end = text.length): string {
  let shown = ''
  let at = start
  for (const { from, to } of matches) {
    if (to <= start || from >= end) continue
    const last = Math.min(to, end)
    shown +=
      html`${text.slice(at, Math.max(from, start))}<mark>${text.slice(Math.max(from, start), last)}</mark>`
        .text
    at = last
  }
  return shown + html`${text.slice(at, end)}`.text
}

/** The title and a piece of the text of something that was found, as HTML that is safe to show in any page. */
export function showFound(
  marks: Marks,
  { title, text }: { title: string; text: string },
): { title_html: string; snippet: string } {
  const searched = text.slice(0, SEARCHED_LENGTH)
  const [ofTitle = [], ofText = []] = matchesIn([look(title), look(searched)], marks)
  const [start, end] = pieceOf(searched, ofText)
  return { title_html: marked(title, ofTitle), snippet: marked(searched, ofText, start, end) }
}

/** A text as HTML that is safe to show in any page, with what was sought in marks. */
export const highlight = (text: string, marks: Marks): string =>
  marked(text, matchesIn([look(text)], marks)[0] ?? [])

/** The part of a text that has the most of what was sought, in its middle. */
function pieceOf(text: string, matches: readonly Match[]): [number, number] {
  let best = { weight: 0, from: 0, to: 0 }
  let first = 0
  // The weight of matches that fit into one piece: the lengths of the different terms.
  for (let last = 0; last < matches.length; last++) {
    const { to } = matches[last] as Match
    while (first < last && to - (matches[first] as Match).from > SNIPPET_LENGTH) first++
    const group = matches.slice(Math.max(first, last - MOST_TERMS * 2), last + 1)
    const terms = new Set(group.map(({ term }) => term))
    const weight = [...terms].reduce((sum, term) => sum + term.text.length, 0)
    if (weight > best.weight) best = { weight, from: (group[0] as Match).from, to }
  }
  const middle = Math.floor((best.from + best.to - SNIPPET_LENGTH) / 2)
  const start = Math.max(0, Math.min(middle, text.length - SNIPPET_LENGTH))
  return [
    start === 0 ? 0 : wordStart(text, start),
    wordEnd(text, Math.min(text.length, start + SNIPPET_LENGTH)),
  ]
}

/** The first beginning of a word from a place on. */
function wordStart(text: string, place: number): number {
  const near = /^\S*\s+/u.exec(text.slice(place - 1, place + LONGEST_CUT))?.[0]
  return near === undefined ? letterStart(text, place) : place - 1 + near.length
}

/** The last end of a word up to a place. */
function wordEnd(text: string, place: number): number {
  if (place >= text.length || /\s/u.test(text.charAt(place))) return place
  const near = /\s+\S*$/u.exec(text.slice(place - LONGEST_CUT, place))?.[0]
  return near === undefined ? letterStart(text, place) : place - near.length
}

/** The beginning of the letter that a place is in: not between the halves of a character, and not before its accents. */
function letterStart(text: string, place: number): number {
  let start = place
  while (start > 0 && start < text.length && /^(?:[\udc00-\udfff]|\p{M})/u.test(text.slice(start, start + 2)))
    start--
  return start
}
