import { sql } from 'kysely'
import { answering, defineQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import { forgetInSearch, keepFindable, type SearchDocument } from '#platform/search/documents.ts'
import { SHOWN_CHARACTERS } from '#platform/search/plain-text.ts'
import type { SearchSource } from '#platform/search/source.ts'
import { courseId } from '../ids.ts'

const COURSE = 'course'

const shown = defineQuery('found_courses', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('courses')
    .select(['id', 'title'])
    .select(sql<string>`left(description, ${sql.lit(SHOWN_CHARACTERS)})`.as('text'))
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('status', '=', 'published'),
)
const load = defineQuery('courses_to_find', (v: { after: string | null; limit: number }) =>
  query
    .selectFrom('courses')
    .select(['id', 'title', 'description', 'category', 'status'])
    .select(sql<string>`created_at::text`.as('written_at'))
    .where(sql<boolean>`(${v.after}::uuid is null or id > ${v.after}::uuid)`)
    .orderBy('id')
    .limit(v.limit)
    .forShare(),
)
const one = defineQuery('course_to_find', (v: { id: string }) =>
  query
    .selectFrom('courses')
    .select(['id', 'title', 'description', 'category', 'status'])
    .select(sql<string>`created_at::text`.as('written_at'))
    .where('id', '=', v.id),
).first()

interface Row {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly written_at: string
}
const documentOf = ({ id, title, description, category, written_at }: Row): SearchDocument => ({
  ...{ kind: COURSE, id, title, text: description, audience: ['public'], isShort: true },
  ...{ categories: [category], writtenAt: written_at },
})

/** Lets a course be found as it is by now: nobody finds one that is not published. */
export async function refreshSearch(ctx: Context, id: string): Promise<void> {
  const course = await one(ctx, { id })
  if (course?.status === 'published') keepFindable(ctx, documentOf(course))
  else forgetInSearch(ctx, COURSE, [id])
}

export const searchSource: SearchSource = {
  kind: COURSE,
  permission: 'read:learning',
  audiencesOf: () => answering(['public']),
  show: ({ ids }) =>
    mapAnswer(shown({ ids }), (rows) =>
      rows.map((row) => {
        const publicId = toId(courseId, row.id)
        return { ...row, locale: '', publicId, path: `/lms/courses/${publicId}` }
      }),
    ),
  load: async (ctx, v) => {
    const rows = await load(ctx, v)
    const documents = rows.filter(({ status }) => status === 'published').map(documentOf)
    return { documents, last: rows.at(-1)?.id }
  },
}
