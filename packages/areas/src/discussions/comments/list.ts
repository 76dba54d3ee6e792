import { sql } from 'kysely'
import { query, reads } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { isStaff, type Viewer } from '../access/access.ts'
import { fetchLimit, fromCursor, offsetOf, toCursor } from '../paging.ts'
import { type CommentRow, comments } from './rows.ts'
import type { ListQuery } from './schema.ts'

/** Replies that stand below a comment of the upper level; `parent_id` goes on. */
const REPLIES = 20
const SORT = 'oldest'
const NO_ID = '00000000-0000-0000-0000-000000000000'

interface Variant {
  readonly parent: boolean
  readonly after: boolean
  readonly staff: boolean
}
interface Values {
  discussion: string
  parent: string | null
  me: string | null
  writtenAfter: string
  idAfter: string
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

const page = reads('comments_page', (variant: Variant) => (v: Values) => {
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
  return comments(v.me)
    .select(
      (variant.parent ? sql<boolean>`t.parent_id = ${v.parent}::uuid` : sql<boolean>`t.parent_id is null`).as(
        'is_upper',
      ),
    )
    .where('t.id', '=', both)
    .orderBy('t.created_at')
    .orderBy('t.id')
})

const count = reads(
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
  const [writtenAfter = '-infinity', idAfter = NO_ID] =
    filter.cursor === undefined ? [] : fromCursor(filter, SORT, ['time', 'uuid'])
  const values: Values = {
    discussion,
    parent,
    me: viewer.kind === 'member' ? viewer.memberId : null,
    writtenAfter: String(writtenAfter),
    idAfter: String(idAfter),
    limit: fetchLimit(filter),
    offset: variant.after ? 0 : offsetOf(filter),
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

export const cursorAt = (row: CommentRow): string => toCursor(SORT, [row.written_at, row.id])
