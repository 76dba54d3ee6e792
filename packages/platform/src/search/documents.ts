import { sql } from 'kysely'
import { defineQuery } from '../db/query.ts'
import { query } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import { configOf } from './search.ts'
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
  /** Who may find it: whoever belongs to one of these. With none, only who sees everything. */
  readonly audience: readonly string[]
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
}

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
        || setweight(to_tsvector(${v.config}::text::regconfig, ${v.textWords}::text), 'B')`,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'kind', 'id', 'locale']).doUpdateSet({
        title: sql`excluded.title`,
        spelling: sql`excluded.spelling`,
        audience: sql`excluded.audience`,
        words: sql`excluded.words`,
      }),
    ),
)

/** Lets something be found from the commit on, by its present words alone. */
export function keepFindable(ctx: Context, document: SearchDocument): void {
  ctx.tx.askLast(
    upsert({
      kind: document.kind,
      id: document.id,
      locale: document.locale ?? '',
      title: spellingOf(document.title),
      spelling: vocabularyOf(`${document.title} ${document.text}`),
      titleWords: wordsOf(document.title),
      textWords: wordsOf(document.text),
      config: configOf(document.locale, `${document.title} ${document.text}`),
      audience: document.audience,
    }),
  )
}

const setAudience = defineQuery(
  'set_search_audience',
  (v: { kind: string; ids: readonly string[]; audience: readonly string[] }) =>
    query
      .updateTable('search_documents')
      .set({ audience: sql`${v.audience}::text[]` })
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
