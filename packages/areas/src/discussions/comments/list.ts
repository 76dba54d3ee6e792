import { sql } from 'kysely'
import { answering, defineQueries, deriveQuery } from '#platform/db/query.ts'
import { type Ask, query } from '#platform/db/statement.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { type Fitted, fitPage, isCutShort } from '#platform/lists/fit-page.ts'
import { toCursor } from '#platform/lists/list-cursor.ts'
import { cursorOf, toPagination } from '#platform/lists/pagination.ts'
import type { CommentQuery } from '../schema.ts'
import { LONG_TEXTS } from '../written.ts'
import { type CommentRow, commentColumns, comments } from './rows.ts'

/** Replies that stand below a comment of the upper level; `parent_id` goes on. */
const REPLIES = 20
const SORT = 'oldest'

type CommentOnPage = CommentRow & Fitted & { readonly is_upper: boolean }

interface Variant {
  readonly parent: boolean
  readonly after: boolean
  readonly staff: boolean
}
interface Values {
  discussion: string
  parent: string | undefined
  me: string | null
  writtenAfter?: string
  idAfter?: string
  limit: number
  offset: number
}

/**
 * What a reader sees: pages and totals are of that alone. What waits for a moderator is seen by its author. Of what was
 * removed everybody sees the place, unless a moderator refused it before anybody saw it. What has replies keeps its
 * place for them.
 */
function seen(variant: Variant, v: Values, table: string) {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return variant.staff
    ? sql<boolean>`true`
    : sql<boolean>`(${of('status')} = 'visible' or ${of('author_id')} = ${v.me}::uuid or ${of('reply_count')} > 0
        or (${of('status')} = 'removed' and ${of('shown_at')} is not null))`
}

const upper = (variant: Variant, v: Values) =>
  query
    .selectFrom('comments as u')
    .where('u.discussion_id', '=', v.discussion)
    .where(variant.parent ? sql<boolean>`u.parent_id = ${v.parent}::uuid` : sql<boolean>`u.parent_id is null`)
    .where(seen(variant, v, 'u'))

const page = defineQueries('comments_page', (variant: Variant) => (v: Values) => {
  const ids = upper(variant, v)
    .select('u.id')
    .$if(variant.after, (rows) =>
      rows.where(sql<boolean>`(u.created_at, u.id) > (${v.writtenAfter}::timestamptz, ${v.idAfter}::uuid)`),
    )
    .orderBy('u.created_at')
    .orderBy('u.id')
    .limit(v.limit)
    .offset(v.offset)
  // As an array: joined to them, PostgreSQL would rather read all comments of a small project than look up some.
  const both = sql<string>`any (array(
    with upper as materialized (${ids})
    select id from upper
    union all
    select r.id from upper cross join lateral (
      select r.id from comments r
      where r.discussion_id = ${v.discussion}::uuid and r.parent_id = upper.id and ${seen(variant, v, 'r')}
      order by r.created_at, r.id limit ${sql.lit(REPLIES)}
    ) r))`
  const page = comments(v.me)
    .select(
      (variant.parent ? sql<boolean>`t.parent_id = ${v.parent}::uuid` : sql<boolean>`t.parent_id is null`).as(
        'is_upper',
      ),
    )
    .where('t.id', '=', both)
    .orderBy('t.created_at')
    .orderBy('t.id')
  return fitPage<CommentOnPage>(page, [...commentColumns, 'is_upper'], {
    long: LONG_TEXTS,
    walks: variant.after,
    together: { root: sql`case when is_upper then id else parent_id end`, isFirst: sql`is_upper` },
  })
})

const count = defineQueries(
  'comments_total',
  (variant: Variant) => (v: Values) => upper(variant, v).select(sql<number>`count(*)`.as('total')),
)

/** What somebody asks of the comments of a discussion. */
export interface Listing {
  readonly discussion: string
  /** The comment whose replies are listed; undefined: the upper level. */
  readonly parent: string | undefined
  readonly viewer: Viewer
  readonly filter: CommentQuery
}

const toVariant = ({ parent, viewer, filter }: Listing): Variant => ({
  parent: parent !== undefined,
  after: filter.cursor !== undefined,
  staff: isStaff(viewer),
})

function toValues({ discussion, parent, viewer, filter }: Listing): Values {
  const values = { discussion, parent, me: viewer.memberId, limit: filter.limit + 1 }
  const after = cursorOf(filter, [SORT], ['timestamptz', 'uuid'])
  if (after === undefined) return { ...values, offset: (filter.page - 1) * filter.limit }
  return { ...values, offset: 0, writtenAfter: String(after[0]), idAfter: String(after[1]) }
}

/** One page of comments, and one more where there is one, with their first replies. @throws ApiError 400 for a cursor that is none */
export const listComments = deriveQuery((listing: Listing) => page(toVariant(listing))(toValues(listing)))

/** How many comments there are on that level; undefined behind a cursor, where nobody counts. */
export const countComments = deriveQuery(
  (listing: Listing): Ask<number | undefined> =>
    listing.filter.cursor === undefined
      ? count(toVariant(listing))
          .map(({ total }) => total)
          .single()(toValues(listing))
      : answering(undefined),
)

/** The comments of the upper level that a page shows, their replies, and where the page stands. */
export function toPage({ filter }: Listing, rows: readonly CommentOnPage[], total: number | undefined) {
  const [found, replies] = [rows.filter((row) => row.is_upper), rows.filter((row) => !row.is_upper)]
  const upper = found.slice(0, filter.limit)
  const last = found.length > filter.limit || isCutShort(rows) ? upper.at(-1) : undefined
  const next = last ? toCursor([SORT], [last.written_at, last.id]) : null
  return { upper, replies, pagination: toPagination(filter, next, total) }
}
