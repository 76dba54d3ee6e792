import { type RawBuilder, sql } from 'kysely'
import { invalidParameters } from '#platform/errors.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import type { COMMENT_SORTS, CommentQuery } from '../schema.ts'

// What can be asked of the comments of a discussion. A page counts the comments of the upper level, the replies to one
// comment, or the comments of all levels; these are sorted as the request says.

/** What somebody asks. */
export interface Listing {
  readonly discussion: string
  /** The comment whose replies are listed; undefined: the upper level. */
  readonly parent: string | undefined
  readonly viewer: Viewer
  readonly filter: CommentQuery
  /** The place of the comment that the page is around. */
  readonly place?: Place | undefined
}

/** Where a comment is. */
export interface Place {
  /** The number of the page. */
  readonly page: number
  /** From the comment of the counted level down to the comment itself. */
  readonly path: readonly string[]
}

/** Which comments a page counts: the upper level, the replies to a comment, or all. */
export type Level = 'top' | 'replies' | 'all'
export type Sort = (typeof COMMENT_SORTS)[number]

/** @throws ApiError 400 for replies in a flat list */
export function levelOf({ parent_id, view }: CommentQuery): Level {
  if (view !== 'flat') return parent_id === undefined ? 'top' : 'replies'
  if (parent_id === undefined) return 'all'
  throw invalidParameters([
    { field: 'parent_id', rule: 'combination', message: 'cannot be combined with view=flat' },
  ])
}

export const sortOf = ({ sort = 'oldest' }: CommentQuery): Sort => sort

const ORDERS = {
  oldest: { columns: ['created_at', 'id'], direction: 'asc', isAfter: '>', isBefore: '<' },
  newest: { columns: ['created_at', 'id'], direction: 'desc', isAfter: '<', isBefore: '>' },
  top: { columns: ['likes', 'created_at', 'id'], direction: 'desc', isAfter: '<', isBefore: '>' },
} as const

const columnsOf = (sort: Sort, table: string) =>
  ORDERS[sort].columns.map((column) => sql.ref(`${table}.${column}`))

/** The order of the comments that a page counts. @param table the name of its rows */
export const orderOf = (sort: Sort, table: string): RawBuilder<unknown> =>
  sql.join(columnsOf(sort, table).map((column) => sql`${column} ${sql.raw(ORDERS[sort].direction)}`))

/** The place of a comment in an order. */
export interface Position {
  readonly likes: unknown
  readonly created_at: unknown
  readonly id: unknown
}

/** Whether a row comes after a position in an order, or before it. */
export function stands(
  where: 'isAfter' | 'isBefore',
  position: Position,
  sort: Sort,
  table: string,
): RawBuilder<boolean> {
  const given = {
    likes: sql`${position.likes}::int8`,
    created_at: sql`${position.created_at}::timestamptz`,
    id: sql`${position.id}::uuid`,
  }
  return sql<boolean>`(${sql.join(columnsOf(sort, table))}) ${sql.raw(ORDERS[sort][where])}
    (${sql.join(ORDERS[sort].columns.map((column) => given[column]))})`
}
