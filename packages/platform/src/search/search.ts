import { type RawBuilder, sql } from 'kysely'
import { invalidParameters } from '../errors.ts'
import { queryOf, type Typed, withoutExcluded } from './words.ts'

/**
 * The one search of discussions, feedback and the help center, through an index behind row-level security (decisions
 * 0018). An area keeps a document for each thing that can be found (documents.ts), with its audiences; whoever
 * searches names the audiences that they belong to, before anything is limited or counted:
 *
 *     const findPage = defineQuery('feedback_found', (v: Sought & { limit: number; offset: number }) =>
 *       query.selectFrom(found('feedback', v).as('hit')).innerJoin('feedback as f', 'f.id', 'hit.id')…)
 *     findPage({ ...sought(text, { audiences: ['public'] }), limit, offset })
 */
export interface Sought extends Typed {
  readonly config: string
  readonly locale: string | null
  /** Who is searching; null sees everything. */
  readonly audiences: readonly string[] | null
}

/** Matches that are looked at, ranked and counted at the most. */
export const MOST_MATCHES = 10_000

/** Longest text that can be searched for. */
export const MAX_SEARCH = 200

interface Options {
  readonly audiences: readonly string[] | null
  /** In which language; all of them where there is none. */
  readonly locale?: string
}

/** The values of a search, for `found` and `alike`. */
export const sought = (text: string, { audiences, locale }: Options): Sought => ({
  ...queryOf(text),
  config: configOf(locale, text),
  locale: locale ?? null,
  audiences,
})

/**
 * Refuses a search that only says what it does not want: it would list everything else.
 * @param field where it was sent
 * @throws ApiError 400
 */
export function assertSeeks(field: string, text = ''): void {
  const left = withoutExcluded(text)
  if (left === text || /[\p{L}\p{N}]/u.test(left.replaceAll(/\bor\b/giu, ' '))) return
  throw invalidParameters([{ field, rule: 'words', message: 'must have a word that is not excluded' }])
}

/** What a search answers of each match. */
export interface Found {
  id: string
  locale: string
  /** The greater, the better it fits. */
  rank: number
}

/**
 * Documents of a kind that have the words; if none has, those with a title or a text that is spelled alike. One more than
 * are counted.
 * @param audiences in place of those of `v`, where a query says which they are
 */
export const found = (kind: string, v: Sought, audiences: RawBuilder<unknown> = sql`${v.audiences}`) =>
  sql<Found>`app.search(${kind}::text, ${v.words}::text, ${v.isUnfinished}::bool,
    ${v.locale === null && !v.isExact}::bool, ${v.typed}::text, ${v.parts}::text[], ${v.likes}::text[], ${v.config}::text::regconfig, ${v.locale}::text, ${audiences}::text[], ${sql.lit(MOST_MATCHES + 1)})`

/** Documents of a kind with a title like the one that was typed, the most alike first. */
export const alike = (kind: string, v: Sought, most: number) =>
  sql<Found>`app.search_alike(${kind}::text, ${v.typed}::text, ${v.locale}::text, ${v.audiences}::text[],
    ${sql.lit(most)})`

/** PostgreSQL's dictionaries by language; words of others are taken as they are. */
const DICTIONARIES: Readonly<Record<string, string>> = {
  ar: 'arabic',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
}

/** The dictionaries of texts whose language nobody names, by the script of their first letter. */
const SCRIPTS = [
  [/\p{Script=Arabic}/u, 'arabic'],
  [/\p{Script=Cyrillic}/u, 'russian'],
  [/\p{Script=Greek}/u, 'greek'],
  [/\p{Script=Tamil}/u, 'tamil'],
] as const

/** The dictionary of a locale (`de-AT`), and without one of a text: that of its script, and English for other letters. */
export function configOf(locale: string | undefined, text: string): string {
  if (locale !== undefined) return DICTIONARIES[locale.split('-')[0]?.toLowerCase() ?? ''] ?? 'simple'
  const first = /\p{L}/u.exec(text)?.[0] ?? ''
  return SCRIPTS.find(([script]) => script.test(first))?.[1] ?? 'english'
}
