import { type RawBuilder, sql } from 'kysely'
import { query } from '#platform/db/statement.ts'
import type { Level, Sort } from './listing.ts'

/** What differs in the text of the statement of a page. */
export interface Variant {
  readonly level: Level
  readonly staff: boolean
  readonly sort: Sort
  /** Whether it goes on behind a cursor. */
  readonly after: boolean
  readonly depth: number
  /** Replies below each comment that is counted. */
  readonly most: number
  readonly isShort: boolean
  readonly includes: boolean
}
export interface Values {
  readonly discussion: string
  readonly parent: string | undefined
  readonly me: string | null
  /** Comments that are shown whatever their depth is. */
  readonly path: readonly string[]
  readonly likesAfter?: string
  readonly writtenAfter?: string
  readonly idAfter?: string
  readonly limit: number
  readonly offset: number
}

/**
 * The comments that a reader sees; pages and totals count these alone. Its author sees a comment that waits for a
 * moderator. Everybody sees the place of a removed comment, unless a moderator refused it before anybody saw it. A
 * comment with replies keeps its place.
 */
export function seen({ staff }: Pick<Variant, 'staff'>, { me }: Pick<Values, 'me'>, table: string) {
  const of = (column: string) => sql.ref(`${table}.${column}`)
  return staff
    ? sql<boolean>`true`
    : sql<boolean>`(${of('status')} = 'visible' or ${of('author_id')} = ${me}::uuid or ${of('reply_count')} > 0
        or (${of('status')} = 'removed' and ${of('shown_at')} is not null))`
}

/** The comments that a page counts. */
export const upper = (
  variant: Pick<Variant, 'level' | 'staff'>,
  v: Pick<Values, 'discussion' | 'parent' | 'me'>,
) =>
  query
    .selectFrom('comments as u')
    .where('u.discussion_id', '=', v.discussion)
    .where(isOnLevel(variant, v, 'u'))
    .where(seen(variant, v, 'u'))

/** Whether a comment is one of those that a page counts. */
export function isOnLevel(
  { level }: Pick<Variant, 'level'>,
  { parent }: Pick<Values, 'parent'>,
  table: string,
): RawBuilder<boolean> {
  const parentId = sql.ref(`${table}.parent_id`)
  switch (level) {
    case 'top':
      return sql<boolean>`${parentId} is null`
    case 'replies':
      return sql<boolean>`${parentId} = ${parent}::uuid`
    case 'all':
      return sql<boolean>`true`
  }
}

/**
 * The comments of a page, as `picked`: the upper level with its `place`, and the first replies below each, with the `root`
 * under which they stand. A reply has the time of what it replies to, where that came later, so that no reply is picked without it.
 */
export function below(variant: Variant, v: Values): RawBuilder<unknown> {
  const { depth, most } = variant
  const levels = Array.from({ length: depth - 1 }, (_, i) => i + 2)
  const above = (level: number) =>
    level === 2
      ? sql`(select id, id as root, '-infinity'::timestamptz as at from upper)`
      : sql.ref(`level_${level - 1}`)
  const parts = levels.map(
    (level) => sql`, ${sql.ref(`level_${level}`)} as materialized (
      select id, root, at from (
        select r.id, p.root, greatest(p.at, r.created_at) as at,
          row_number() over (partition by p.root order by greatest(p.at, r.created_at), r.id) as n
        from ${above(level)} as p cross join lateral (
          select r.id, r.created_at from comments r
          where r.discussion_id = ${v.discussion}::uuid and r.parent_id = p.id and ${seen(variant, v, 'r')}
          order by r.created_at, r.id limit ${sql.lit(most)}
        ) r) as found
      where n <= ${sql.lit(most)})`,
  )
  const all = levels.map(
    (level) => sql`select id, root, at, ${sql.lit(level)} as level from ${sql.ref(`level_${level}`)}`,
  )
  const replies =
    levels.length === 0
      ? sql`select null::uuid as id, null::uuid as root where false`
      : sql`select id, root from (
          select id, root, row_number() over (partition by root order by at, level, id) as n
          from (${sql.join(all, sql` union all `)}) as each) as first where n <= ${sql.lit(most)}`
  // The way to the comment around which the page is: the first of them is on the upper level.
  const way = sql`select id, (${v.path}::uuid[])[1] as root from unnest((${v.path}::uuid[])[2:]) as id`
  return sql`${sql.join(parts, sql``)}, picked as materialized (
      select id, id as root, place from upper
      union all
      select id, root, null from (${replies} union ${way}) as lower)`
}
