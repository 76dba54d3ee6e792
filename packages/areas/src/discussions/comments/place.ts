import { sql } from 'kysely'
import { defineQueries, deriveQuery } from '#platform/db/query.ts'
import type { Ask } from '#platform/db/statement.ts'
import { invalidParameters, notFound } from '#platform/errors.ts'
import { isStaff } from '#platform/http/viewer.ts'
import { idFromFilter } from '#platform/ids.ts'
import { commentId } from '../ids.ts'
import { type Listing, levelOf, type Place, sortOf, stands } from './listing.ts'
import { isOnLevel, seen, upper, type Variant } from './tree.ts'

interface Values {
  readonly discussion: string
  readonly parent: string | undefined
  readonly me: string | null
  readonly around: string
  readonly limit: number
}

const find = defineQueries(
  'place_of_comment',
  (variant: Pick<Variant, 'level' | 'staff' | 'sort'>) => (v: Values) => {
    const root = (column: string) => sql`(select ${sql.ref(column)} from way order by step desc limit 1)`
    const before = upper(variant, v)
      .select(sql<number>`count(*)`.as('before'))
      .where(
        stands(
          'isBefore',
          { likes: root('likes'), created_at: root('created_at'), id: root('id') },
          variant.sort,
          'u',
        ),
      )
    return sql<{ before: number; path: string[] }>`with recursive way as (
        select c.id, c.parent_id, c.created_at, c.likes, ${isOnLevel(variant, v, 'c')} as is_root,
          ${seen(variant, v, 'c')} as is_seen, 1 as step
        from comments c where c.id = ${v.around}::uuid and c.discussion_id = ${v.discussion}::uuid
        union all
        select c.id, c.parent_id, c.created_at, c.likes, ${isOnLevel(variant, v, 'c')},
          ${seen(variant, v, 'c')}, way.step + 1
        from way join comments c on c.id = way.parent_id
        where not way.is_root)
      select (${before}) as before, (select array_agg(id order by step desc) from way)::text[] as path
      where (select coalesce(bool_or(is_root), false) and coalesce(bool_and(is_seen), false) from way)`
  },
)

/**
 * Where the comment is that the request asks for by `around`.
 * @throws ApiError 400 with a page or a cursor; 404 for a comment that the viewer does not see in this list
 */
export const findPlace = deriveQuery(({ discussion, parent, viewer, filter }: Listing): Ask<Place> => {
  const { limit, page, cursor } = filter
  const around = idFromFilter(commentId, 'around', filter.around ?? '')
  if (page > 1 || cursor !== undefined)
    throw invalidParameters([
      { field: 'around', rule: 'combination', message: 'cannot be combined with page or cursor' },
    ])
  return find({ level: levelOf(filter), staff: isStaff(viewer), sort: sortOf(filter) })
    .map(({ before, path }) => ({ page: Math.floor(Number(before) / limit) + 1, path }))
    .one(() => notFound('Comment'))({ discussion, parent, me: viewer.memberId, around, limit })
})
