import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { fillSpellings } from '#platform/search/fill-spellings.ts'

const written = defineQuery(
  'written_feedback',
  (v: { ids: readonly string[] }) => sql<{ id: string; locale: string; title: string; text: string }>`
    select id, '' as locale, coalesce(title, left(message, 200)) as title, message as text from feedback
    where id = any (${v.ids}::uuid[])`,
)

export const fillFeedbackSpellings = fillSpellings('feedback', written)
