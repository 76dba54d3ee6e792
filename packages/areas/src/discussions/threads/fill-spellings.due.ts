import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import { fillSpellings } from '#platform/search/fill-spellings.ts'
import { SEARCHED } from './list.ts'

/** The words of a discussion as its HTML has them: the Markdown has addresses, too. */
const written = defineQuery(
  'written_discussions',
  (v: { ids: readonly string[] }) => sql<{ id: string; locale: string; title: string; text: string }>`
    select id, '' as locale, title, regexp_replace(content_html, '<[^>]*>|&[a-z]+;', ' ', 'g') as text from discussions
    where id = any (${v.ids}::uuid[])`,
)

export const fillDiscussionSpellings = fillSpellings(SEARCHED, written)
