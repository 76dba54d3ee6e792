import { sql } from 'kysely'
import { now } from '../db/project-clock.ts'
import { defineQuery } from '../db/query.ts'
import { query } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import { configOf } from './search.ts'
import { learnWords } from './vocabulary.ts'
import { spellingOf, vocabularyOf, wordsOf } from './words.ts'

/** Something that can be found. */
export interface SearchDocument {
  /** `discussion`, `feedback` or `article`. */
  readonly kind: string
  readonly id: string
  /** Of what is written in several languages, which. */
  readonly locale?: string
  readonly title: string
  /** Plain text, as Markdown is rendered to. */
  readonly text: string
  /** The audiences that may find it. With none, only who sees everything. */
  readonly audience: readonly string[]
  /** The stored id of the member who wrote it. */
  readonly author?: string | null
  /** What it can be filtered by: names, or stored ids of categories. */
  readonly categories?: readonly (string | null)[]
  /** When it was written. Default: now, or the time that was kept before. */
  readonly writtenAt?: string
  /** True for what only the one search finds, which corrects misspelled words by the words of the project. */
  readonly isShort?: true
}

interface Row {
  kind: string
  id: string
  locale: string
  title: string
  spelling: string
  titleWords: string
  textWords: string
  config: string
  audience: readonly string[]
  keys: readonly string[]
  writtenAt: string | null
}

const gates = (audience: unknown, kind: unknown = sql.ref('kind')) =>
  sql`app.search_gates(app.current_project(), ${kind}, ${audience}::text[])`

const upsert = defineQuery('upsert_search_document', (v: Row) =>
  query
    .insertInto('search_documents')
    .values({
      kind: v.kind,
      id: v.id,
      locale: v.locale,
      title: v.title,
      spelling: v.spelling,
      audience: sql`${v.audience}::text[]`,
      words: sql`setweight(to_tsvector(${v.config}::text::regconfig, ${v.titleWords}::text), 'A')
        || setweight(to_tsvector(${v.config}::text::regconfig, ${v.textWords}::text), 'B')
        || array_to_tsvector(${gates(sql`${v.audience}`, sql`${v.kind}::text`)})
        || array_to_tsvector(array(select app.search_key(app.current_project(), key) from unnest(${v.keys}::text[]) key))`,
      written_at: sql`coalesce(${v.writtenAt}::timestamptz, ${now})`,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'kind', 'id', 'locale']).doUpdateSet({
        title: sql`excluded.title`,
        spelling: sql`excluded.spelling`,
        audience: sql`excluded.audience`,
        words: sql`excluded.words`,
        written_at: sql`coalesce(search_documents.written_at, excluded.written_at)`,
      }),
    ),
)

/** A short document has no words for guesses of its own, and is none that waits for them. */
const NO_SPELLING = ' '

/** Lets something be found from the commit on, by its present words alone. */
export function keepFindable(ctx: Context, document: SearchDocument): void {
  const { author = null, categories = [], isShort = false } = document
  const words = `${document.title} ${document.text}`
  learnWords(ctx, words)
  ctx.tx.askLast(
    upsert({
      kind: document.kind,
      id: document.id,
      locale: document.locale ?? '',
      title: spellingOf(document.title),
      spelling: isShort ? NO_SPELLING : vocabularyOf(words),
      titleWords: wordsOf(document.title),
      textWords: wordsOf(document.text),
      config: configOf(document.locale, words),
      audience: document.audience,
      keys: [
        ...(author === null ? [] : [`by ${author}`]),
        ...categories.flatMap((each) => (each === null || each === '' ? [] : [`in ${each}`])),
      ],
      writtenAt: document.writtenAt ?? null,
    }),
  )
}

const setAudience = defineQuery(
  'set_search_audience',
  (v: { kind: string; ids: readonly string[]; audience: readonly string[] }) =>
    query
      .updateTable('search_documents')
      .set({
        audience: sql`${v.audience}::text[]`,
        words: sql`ts_delete(words, ${gates(sql.ref('audience'))}) || array_to_tsvector(${gates(sql`${v.audience}`)})`,
      })
      .where('kind', '=', v.kind)
      .where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

/** Says anew who may find things, in all their languages. */
export const showTo = (ctx: Context, kind: string, ids: readonly string[], audience: readonly string[]) =>
  ctx.tx.askLast(setAudience({ kind, ids, audience }))

const remove = defineQuery('delete_search_documents', (v: { kind: string; ids: readonly string[] }) =>
  query
    .deleteFrom('search_documents')
    .where('kind', '=', v.kind)
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`),
)

/** Nobody finds these any more, in any language. */
export const forgetInSearch = (ctx: Context, kind: string, ids: readonly string[]) =>
  ctx.tx.askLast(remove({ kind, ids }))
