import { sql } from 'kysely'
import { query, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

import { isStaff, type Viewer } from '../access/access.ts'
import { askFor, fromCursor, skipped, toCursor } from '../paging.ts'
import { type CommentRow, comments } from './rows.ts'
import type { ListQuery } from './schema.ts'

/** Replies that stand below a comment of the upper level; `parent_id` goes on. */
const REPLIES = 20
const SORT = 'oldest'

interface Variant {
  readonly parent: boolean
  readonly after: boolean
  readonly staff: boolean
}
interface Values {
  discussion: string
  parent: string | null
  me: string | null
  after: string
  limit: number
  offset: number
}

/**
 * What a reader sees: pages and totals are of that alone. What waits for a moderator is seen by its author, and of what
 * was removed everybody sees the place.
 */
const seen = (variant: Variant, v: Values, table: string) =>
  variant.staff
    ? sql<boolean>`true`
    : sql<boolean>`(${sql.ref(`${table}.status`)} <> 'pending' or ${sql.ref(`${table}.author_id`)} = ${v.me}::uuid)`

const upper = (variant: Variant, v: Values) =>
  query
    .selectFrom('comments as u')
    .where('u.discussion_id', '=', v.discussion)
    .where(variant.parent ? sql<boolean>`u.parent_id = ${v.parent}::uuid` : sql<boolean>`u.parent_id is null`)
    .where(seen(variant, v, 'u'))

const page = statements('comments_page', (variant: Variant) => (v: Values) => {
  const ids = upper(variant, v)
    .select('u.id')
    .$if(variant.after, (rows) => rows.where('u.id', '>', sql<string>`${v.after}::uuid`))
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
      order by r.id limit ${sql.lit(REPLIES)}
    ) r))`
  return comments(v.me)
    .select(
      (variant.parent ? sql<boolean>`t.parent_id = ${v.parent}::uuid` : sql<boolean>`t.parent_id is null`).as(
        'is_upper',
      ),
    )
    .where('t.id', '=', both)
    .orderBy('t.id')
})

const count = statements(
  'comments_total',
  (variant: Variant) => (v: Values) => upper(variant, v).select(sql<number>`count(*)`.as('total')),
)

/** One page of comments with their first replies, or what comes behind a cursor; and without one how many there are. */
export function listComments(
  ctx: Context,
  { discussion, parent, viewer }: { discussion: string; parent: string | null; viewer: Viewer },
  filter: ListQuery,
) {
  const variant = { parent: parent !== null, after: filter.cursor !== undefined, staff: isStaff(viewer) }
  const [after] = filter.cursor === undefined ? [] : fromCursor(filter.cursor, SORT, ['uuid'])
  const values: Values = {
    discussion,
    parent,
    me: viewer.kind === 'member' ? viewer.memberId : null,
    after: String(after),
    limit: askFor(filter),
    offset: variant.after ? 0 : skipped(filter),
  }
  const rows = ctx.tx.all(page(variant), values)
  const shape = (found: (CommentRow & { is_upper: boolean })[], total: number) => ({
    upper: found.filter(({ is_upper }) => is_upper),
    replies: found.filter(({ is_upper }) => !is_upper),
    total,
  })
  if (variant.after) return rows.map((found) => shape(found, 0))
  const total = ctx.tx.single(count(variant), values)
  return rows.and(total).map(([found, { total }]) => shape(found, total))
}

export const cursorAt = (row: CommentRow): string => toCursor(SORT, [row.id])
