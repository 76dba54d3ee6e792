import { sql } from 'kysely'
import { defineQuery } from '../db/query.ts'
import type { Context } from '../db/tenant.ts'
import { normal, soundOf, UNSPACED } from './words.ts'

// The words of a project. A misspelled word is corrected to words that exist, before the documents are asked: so a typing
// error costs a look at some thousand words, however many documents there are.

/** Shorter words are like too many others. */
const SHORTEST = 4
const LONGEST = 40
/** Words that are learned of one document. */
const MOST_WORDS = 2_000

/** The words of a text between spaces, each with what it sounds like. */
function longWordsOf(text: string): Map<string, string> {
  const words = normal(text)
    .replaceAll(UNSPACED, ' ')
    .match(/[\p{L}\p{N}\p{M}]+/gu)
  const found = new Map<string, string>()
  for (const word of new Set(words)) {
    const sound = soundOf(word)
    if (sound.length >= SHORTEST && sound.length <= LONGEST && word.length <= LONGEST) found.set(word, sound)
    if (found.size === MOST_WORDS) break
  }
  return found
}

// In their order, so that two transactions that learn the same new words wait for each other, and do not lock each other out.
const learn = defineQuery(
  'learn_search_words',
  (v: { words: readonly string[]; sounds: readonly string[] }) => sql<object>`
    insert into search_words (word, sound)
    select given.word, given.sound from unnest(${v.words}::text[], ${v.sounds}::text[]) as given (word, sound)
    where not exists (select from search_words known where known.word = given.word)
    order by given.word
    on conflict do nothing`,
)

/** Keeps the words of a text, so that misspelled words are corrected to them. */
export function learnWords(ctx: Context, text: string): void {
  const found = longWordsOf(text)
  if (found.size > 0) ctx.tx.askLast(learn({ words: [...found.keys()], sounds: [...found.values()] }))
}

/** Words that are looked at for a misspelled one, and those that it is corrected to. */
const LOOKED_AT = 30
const MOST_CORRECTIONS = 3
/** Words of a query that are corrected. */
const MOST_CORRECTED = 6
/** From here on a word is found within other words. */
const SHORTEST_PART = 5
/** From here on two letters may be wrong. */
const TWO_WRONG = 8

/** Words of the project that are like these. @param sounds in Latin letters */
export const wordsLike = defineQuery(
  'search_words_like',
  (v: { sounds: readonly string[] }) =>
    sql<{ sound: string; word: string; alike: string }>`select sound, word, alike
      from app.search_words_like(${v.sounds}::text[], ${sql.lit(LOOKED_AT)})`,
)

/** The words of a query that can be misspelled, as they sound. */
export const soundsOf = (text: string): string[] =>
  [...new Set(longWordsOf(text).values())].slice(0, MOST_CORRECTED)

/**
 * A query with its misspelled words corrected: alternatives for each word.
 * @param text what was typed, without phrases and excluded words
 * @param known what `wordsLike` answered
 * @returns undefined where nothing is corrected
 */
export function corrected(
  text: string,
  known: readonly { readonly sound: string; readonly word: string; readonly alike: string }[],
): string[] | undefined {
  let isCorrected = false
  const parts = (normal(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).map((word) => {
    const sound = soundOf(word)
    const near = known
      .filter((each) => each.sound === sound)
      .map((each) => ({ ...each, wrong: wrongIn(sound, each.alike) }))
      .filter(({ wrong }) => wrong !== undefined)
      .toSorted((a, b) => (a.wrong ?? 0) - (b.wrong ?? 0))
    if (near.length === 0) return word
    isCorrected ||= near.some((each) => each.word !== word)
    return near
      .slice(0, MOST_CORRECTIONS)
      .map((each) => each.word)
      .join(' or ')
  })
  return isCorrected ? parts : undefined
}

/** How many letters are wrong, 0 to 2; 3 where a word is part of the other one; undefined for another word. */
function wrongIn(typed: string, word: string): number | undefined {
  const most = typed.length < TWO_WRONG ? 1 : 2
  const wrong = distance(typed, word, most)
  if (wrong <= most) return wrong
  return typed.length >= SHORTEST_PART && word.includes(typed) ? 3 : undefined
}

/** Letters to insert, leave out, replace or swap with their neighbour; more than `most` are not counted. */
function distance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let [before, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const at = (list: readonly number[], place: number) => list[place] ?? Number.POSITIVE_INFINITY
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(before, j - 2) + 1)
      row.push(cost)
    }
    ;[before, last] = [last, row]
  }
  return last[b.length] ?? most + 1
}
