import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { fillSpellings } from '#platform/search/fill-spellings.ts'
import { wordsOf } from './found.ts'

const written = defineQuery(
  'written_feedback',
  (v: { ids: readonly string[] }) => sql<{ id: string; title: string | null; message: string }>`
    select id, title, message from feedback where id = any (${v.ids}::uuid[])`,
).map((item) => ({ id: item.id, locale: '', ...wordsOf(item) }))

export const fillFeedbackSpellings = fillSpellings('feedback', written)
