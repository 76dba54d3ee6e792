import { sql } from 'kysely'
import { answering, defineQueries, deriveQuery } from '#platform/db/query.ts'
import type { Ask } from '#platform/db/statement.ts'
import { showsAny } from '#platform/http/fields.ts'
import { included } from '#platform/http/include.ts'
import { isStaff } from '#platform/http/viewer.ts'
import { type Fitted, fitPage, isCutShort } from '#platform/lists/fit-page.ts'
import { type CursorType, toCursor } from '#platform/lists/list-cursor.ts'
import { cursorOf, toPagination } from '#platform/lists/pagination.ts'
import type { CommentQuery } from '../schema.ts'
import { LONG_FIELDS, longTexts } from '../written.ts'
import { type Listing, levelOf, orderOf, type Sort, sortOf, stands } from './listing.ts'
import { commentColumns, comments, type Placed } from './rows.ts'
import { below, upper, type Values, type Variant } from './tree.ts'

type CommentOnPage = Placed & Fitted & { readonly is_upper: boolean }

/** Replies below a comment that a page counts; `parent_id` lists more. The larger the page, the fewer. */
const mostReplies = (limit: number): number => (limit > 50 ? 10 : 20)

const CURSORS: Readonly<Record<Sort, readonly CursorType[]>> = {
  oldest: ['timestamptz', 'uuid'],
  newest: ['timestamptz', 'uuid'],
  top: ['int8', 'timestamptz', 'uuid'],
}

const page = defineQueries('comments_page', (variant: Variant) => (v: Values) => {
  const ids = upper(variant, v)
    .select(['u.id', sql<number>`row_number() over (order by ${orderOf(variant.sort, 'u')})`.as('place')])
    .$if(variant.after, (rows) =>
      rows.where(
        stands(
          'isAfter',
          { likes: v.likesAfter, created_at: v.writtenAfter, id: v.idAfter },
          variant.sort,
          'u',
        ),
      ),
    )
    .orderBy(orderOf(variant.sort, 'u'))
    .limit(v.limit)
    .offset(v.offset)
  // Each row is looked up by its key: joined otherwise, PostgreSQL would rather read all comments of a small project.
  const shown = comments(v.me, { isShort: variant.isShort }).where('t.id', '=', sql<string>`picked.id`)
  const rows = sql`with upper as materialized (${ids})${below(variant, v)}
    select page.*, picked.root, picked.place is not null as is_upper
    from picked cross join lateral (${shown} offset 0) as page
    order by picked.place nulls last, page.created_at, page.id`
  return fitPage<CommentOnPage>(rows, [...commentColumns, 'root', 'is_upper'], {
    long: longTexts(variant),
    walks: variant.after,
    together: { root: sql`root`, isFirst: sql`is_upper` },
  })
})

const count = defineQueries(
  'comments_total',
  (variant: Pick<Variant, 'level' | 'staff'>) => (v: Pick<Values, 'discussion' | 'parent' | 'me'>) =>
    upper(variant, v).select(sql<number>`count(*)`.as('total')),
)

const nameOf = (filter: CommentQuery) => (filter.view === 'flat' ? ['flat'] : []).concat(sortOf(filter))

const toVariant = ({ viewer, filter }: Listing): Variant => ({
  level: levelOf(filter),
  staff: isStaff(viewer),
  sort: sortOf(filter),
  after: filter.cursor !== undefined,
  depth: filter.view === 'flat' ? 1 : filter.depth,
  most: mostReplies(filter.limit),
  isShort: !showsAny(filter.fields, LONG_FIELDS),
  includes: included(filter.include).size > 0,
})

function toValues({ discussion, parent, viewer, filter, place }: Listing): Values {
  const path = place?.path ?? []
  const values = { discussion, parent, me: viewer.memberId, path, limit: filter.limit + 1 }
  const after = cursorOf(filter, nameOf(filter), CURSORS[sortOf(filter)])
  if (after === undefined) return { ...values, offset: (filter.page - 1) * filter.limit }
  const [id, writtenAfter, likesAfter = '0'] = after.toReversed().map(String)
  return { ...values, offset: 0, likesAfter, writtenAfter: String(writtenAfter), idAfter: String(id) }
}

/** One page of comments, and one more where there is one, with their first replies. @throws ApiError 400 for a cursor that is none */
export const listComments = deriveQuery((listing: Listing) => page(toVariant(listing))(toValues(listing)))

/** How many comments there are on that level; undefined behind a cursor, where nobody counts. */
export const countComments = deriveQuery(
  ({ discussion, parent, viewer, filter }: Listing): Ask<number | undefined> =>
    filter.cursor === undefined
      ? count({ level: levelOf(filter), staff: isStaff(viewer) })
          .map(({ total }) => total)
          .single()({ discussion, parent, me: viewer.memberId })
      : answering(undefined),
)

/** The comments of the upper level that a page shows, their replies, and where the page stands. */
export function toPage({ filter }: Listing, rows: readonly CommentOnPage[], total: number | undefined) {
  const [found, replies] = [rows.filter((row) => row.is_upper), rows.filter((row) => !row.is_upper)]
  const upper = found.slice(0, filter.limit)
  const last = found.length > filter.limit || isCutShort(rows) ? upper.at(-1) : undefined
  const place = last && [...(sortOf(filter) === 'top' ? [String(last.likes)] : []), last.written_at, last.id]
  const next = place ? toCursor(nameOf(filter), place) : null
  return { upper, replies, pagination: toPagination(filter, next, total) }
}
