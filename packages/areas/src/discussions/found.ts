import { sql } from 'kysely'
import { defineQuery, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import type { SearchDocument } from '#platform/search/documents.ts'
import { plainText, SHOWN_CHARACTERS } from '#platform/search/plain-text.ts'
import type { SearchSource, ShownMatch } from '#platform/search/source.ts'
import { maySee } from './access/access.ts'
import { commentId, discussionId } from './ids.ts'
import { closedTo, SEARCHED } from './threads/list.ts'

// What members find of discussions: titles and texts, and comments by themselves.

/** What comments are called in the search. */
export const COMMENT = 'comment'

/** The categories that a viewer may enter. */
const open = defineQuery('open_categories', (v: { plan: string | null; staff: boolean }) =>
  query
    .selectFrom('discussion_categories as o')
    .select('o.id')
    .where(sql<boolean>`(${v.staff}::bool or o.id not in ${closedTo(v.plan)})`),
)
const audiencesOf = deriveQuery((viewer: Viewer) =>
  mapAnswer(open({ plan: viewer.planId, staff: isStaff(viewer) }), (rows) =>
    isStaff(viewer) ? null : rows.map(({ id }) => id),
  ),
)

interface Asked {
  readonly ids: readonly string[]
  readonly viewer: Viewer
}
const html = (column: string) =>
  sql<string>`left(${sql.ref(column)}, ${sql.lit(SHOWN_CHARACTERS)})`.as('html')

const shownThreads = defineQuery('found_discussions', (v: Asked) =>
  query
    .selectFrom('discussions as d')
    .innerJoin('discussion_categories as c', 'c.id', 'd.category_id')
    .select(['d.id', 'd.title', 'd.status', 'd.author_id', 'c.required_plans', html('d.content_html')])
    .where('d.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('d.status', '=', 'visible'),
)
const shownComments = defineQuery('found_comments', (v: Asked) =>
  query
    .selectFrom('comments as t')
    .innerJoin('discussions as d', 'd.id', 't.discussion_id')
    .innerJoin('discussion_categories as c', 'c.id', 'd.category_id')
    .select(['t.id', 't.discussion_id', 'd.title', 'd.status', 'd.author_id', 'c.required_plans'])
    .select(html('t.content_html'))
    .where('t.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('t.status', '=', 'visible')
    .where('d.status', '=', 'visible'),
)

interface Row {
  readonly id: string
  readonly title: string
  readonly html: string
  readonly status: string
  readonly author_id: string
  readonly required_plans: readonly string[]
}
const seenBy = <R extends Row>(rows: readonly R[], viewer: Viewer) =>
  rows.filter((row) => maySee(viewer, row, row))

const toShown = (row: Row, publicId: string, path: string): ShownMatch => ({
  ...{ id: row.id, locale: '', title: row.title, publicId, path },
  ...{ text: plainText(row.html, { mentions: true }), author: row.author_id },
})

/** Documents after an id, of which each discussion is locked against being hidden meanwhile. */
const loadThreads = defineQuery('discussions_to_find', (v: { after: string | null; limit: number }) =>
  query
    .selectFrom('discussions as d')
    .select(['d.id', 'd.title', 'd.status', 'd.author_id', 'd.category_id', 'd.content_html as html'])
    .select(sql<string>`d.created_at::text`.as('written_at'))
    .where(sql<boolean>`(${v.after}::uuid is null or d.id > ${v.after}::uuid)`)
    .orderBy('d.id')
    .limit(v.limit)
    .forShare(),
)
interface Walk {
  readonly after: string | null
  readonly limit: number
}
const nextComments = (v: Walk) =>
  query
    .selectFrom('comments as t')
    .innerJoin('discussions as d', 'd.id', 't.discussion_id')
    .select(['t.id', 't.author_id', 'd.category_id', 't.content_html as html'])
    .select(sql<boolean>`t.status = 'visible' and d.status = 'visible'`.as('is_shown'))
    .select(sql<string>`t.created_at::text`.as('written_at'))
    .where(sql<boolean>`(${v.after}::uuid is null or t.id > ${v.after}::uuid)`)
    .orderBy('t.id')
    .limit(v.limit)
    .forShare()
const loadComments = defineQuery('comments_to_find', nextComments)
const loadCommentsOf = defineQuery('comments_of_discussion_to_find', (v: Walk & { discussion: string }) =>
  nextComments(v).where('t.discussion_id', '=', v.discussion),
)

const forget = defineQuery('forget_comments_of_discussion', (v: { discussion: string; kind: string }) =>
  query
    .deleteFrom('search_documents')
    .where('kind', '=', v.kind)
    .where(
      'id',
      '=',
      sql<string>`any (array(select t.id from comments t where t.discussion_id = ${v.discussion}))`,
    ),
)
/** Nobody finds the comments of a discussion any more. Deleting is cheap, however many there are. */
export const forgetCommentsOf = (ctx: Context, discussion: string) =>
  ctx.tx.askLast(forget({ discussion, kind: COMMENT }))

/** A comment as it is found. @param category stored; null for one that nobody may find */
export const commentDocument = (
  comment: { readonly id: string; readonly author_id: string },
  { text, category, writtenAt }: { text: string; category: string | null; writtenAt?: string },
): SearchDocument => ({
  ...{ kind: COMMENT, id: comment.id, title: '', text, isShort: true, author: comment.author_id },
  audience: category === null ? [] : [category],
  categories: [category],
  ...(writtenAt !== undefined && { writtenAt }),
})

/** The visible comments of a discussion, or of all of them, after an id. */
export async function commentDocuments(
  ctx: Context,
  v: { readonly discussion: string | null; readonly after: string | null; readonly limit: number },
) {
  const { discussion, ...walk } = v
  const rows =
    discussion === null ? await loadComments(ctx, walk) : await loadCommentsOf(ctx, { ...walk, discussion })
  const documents = rows
    .filter((row) => row.is_shown)
    .map((row) =>
      commentDocument(row, {
        text: plainText(row.html, { mentions: false }),
        category: row.category_id,
        writtenAt: row.written_at,
      }),
    )
  return { documents, last: rows.at(-1)?.id }
}

export const searchSources: readonly SearchSource[] = [
  {
    kind: SEARCHED,
    permission: 'read:community',
    audiencesOf,
    show: (v) =>
      mapAnswer(shownThreads(v), (rows) =>
        seenBy(rows, v.viewer).map((row) => {
          const id = toId(discussionId, row.id)
          return toShown(row, id, `/discussions/${id}`)
        }),
      ),
    load: async (ctx, v) => {
      const rows = await loadThreads(ctx, v)
      const documents = rows
        .filter(({ status }) => status !== 'removed')
        .map((row) => ({
          ...{ kind: SEARCHED, id: row.id, title: row.title, text: plainText(row.html, { mentions: false }) },
          audience: row.status === 'visible' ? [row.category_id] : [],
          ...{ author: row.author_id, categories: [row.category_id], writtenAt: row.written_at },
        }))
      return { documents, last: rows.at(-1)?.id }
    },
  },
  {
    kind: COMMENT,
    permission: 'read:community',
    audiencesOf,
    show: (v) =>
      mapAnswer(shownComments(v), (rows) =>
        seenBy(rows, v.viewer).map((row) => {
          const id = toId(commentId, row.id)
          const path = `/discussions/${toId(discussionId, row.discussion_id)}/comments?around=${id}`
          return toShown(row, id, path)
        }),
      ),
    load: (ctx, v) => commentDocuments(ctx, { ...v, discussion: null }),
  },
]
