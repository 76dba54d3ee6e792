import { sql } from 'kysely'
import { found, type Sought, sought } from '#platform/db/search/search.ts'
import { query, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { offsetOf } from '#platform/http/page.ts'
import type { Visitor } from './access.ts'
import { itemsOf, seenBy } from './queries.ts'
import type { ListQuery } from './schema.ts'

/** Which conditions apply; each combination is a statement of its own. */
interface Variant {
  readonly type: boolean
  readonly status: boolean
  readonly visibility: boolean
  readonly search: boolean
}
interface FilterValues extends Sought {
  type: string
  status: string
  visibility: string
}
interface PageValues extends FilterValues {
  viewer: string | null
  limit: number
  offset: number
}

/** Names of columns are those of items and of their counters. */
function asked({ type, status, visibility }: Variant, v: FilterValues) {
  const conditions = [status ? sql`state = ${v.status}` : sql`state <> 'duplicate'`]
  if (type) conditions.push(sql`type = ${v.type}`)
  if (visibility) conditions.push(sql`visibility = ${v.visibility}`)
  return conditions
}

/** What a list shows. */
function matching(variant: Variant, v: FilterValues) {
  const conditions = asked(variant, v)
  // Says the same once more, in the words of the index.
  if (!variant.status) conditions.push(sql`merged_into is null`)
  if (variant.search) conditions.push(sql`id in (select hit.id from ${found('feedback', v)} as hit)`)
  return query.selectFrom('feedback').where(sql<boolean>`${sql.join(conditions, sql` and `)}`)
}

const page = statements(
  'feedback_page',
  ({ sort, ...variant }: Variant & Pick<ListQuery, 'sort'>) =>
    (v: PageValues) => {
      const found = matching(variant, v)
        .select(['id', 'vote_count'])
        .$if(sort === 'top', (rows) => rows.orderBy('vote_count', 'desc'))
        .orderBy('id', 'desc')
        .limit(v.limit)
        .offset(v.offset)
      return itemsOf()
        .select(seenBy(v.viewer))
        .innerJoin(found.as('page'), 'page.id', 'f.id')
        .$if(sort === 'top', (rows) => rows.orderBy('page.vote_count', 'desc'))
        .orderBy('f.id', 'desc')
    },
)

const counted = statements(
  'feedback_total',
  (variant: Variant) => (v: FilterValues) =>
    query
      .selectFrom('feedback_counts')
      .select(sql<number>`coalesce(sum(items), 0)::int8`.as('total'))
      .where(sql<boolean>`${sql.join(asked(variant, v), sql` and `)}`),
)
const foundTotal = statements(
  'feedback_search_total',
  (variant: Variant) => (v: FilterValues) => matching(variant, v).select(sql<number>`count(*)`.as('total')),
)

/** One page of the items that this visitor may list, and how many there are in all. */
export function listItems(ctx: Context, visitor: Visitor, request: ListQuery) {
  const { type, status, search, sort } = request
  const visibility = visitor.isTeam ? request.visibility : 'public'
  const variant = {
    type: type !== undefined,
    status: status !== undefined,
    visibility: visibility !== undefined,
    search: search !== undefined,
  }
  const values = {
    type: type ?? '',
    status: status ?? '',
    visibility: visibility ?? '',
    ...sought(search ?? '', { audiences: visitor.isTeam ? null : ['public'] }),
  }
  const paging = { viewer: visitor.memberId, limit: request.limit, offset: offsetOf(request) }
  const rows = ctx.tx.all(page({ ...variant, sort }), { ...values, ...paging })
  const total = ctx.tx.single(search === undefined ? counted(variant) : foundTotal(variant), values)
  return rows.and(total).map(([items, { total }]) => ({ items, total }))
}
