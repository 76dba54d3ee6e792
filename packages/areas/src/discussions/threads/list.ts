import { type SelectQueryBuilder, sql } from 'kysely'
import { answering, defineQueries, deriveQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { DB } from '#platform/db/tables.generated.ts'
import { LARGEST_PAGE } from '#platform/http/page.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { idFromFilter } from '#platform/ids.ts'
import { type Fitted, fitPage } from '#platform/lists/fit-page.ts'
import { type Found, found, MOST_MATCHES, type Sought, sought } from '#platform/search/search.ts'
import { type CursorValues, fetchLimit, fromCursor, offsetOf, toCursor } from '../paging.ts'
import { LONG_TEXTS } from '../written.ts'
import { type ThreadRow, threadColumns, threads } from './rows.ts'
import type { ListQuery, Sort } from './schema.ts'

/** What a search looks through. */
export const SEARCHED = 'discussion'

/** Which conditions apply; each combination is a statement of its own. */
interface Variant {
  readonly sort: Sort | 'rank'
  readonly category: boolean
  readonly author: boolean
  readonly pinned: boolean
  readonly gated: boolean
  readonly own: boolean
  readonly search: boolean
  readonly after: boolean
  /** Whether rows come before the page that no cursor tells. */
  readonly skips: boolean
}

interface Values extends Sought {
  category: string
  author: string | null
  pinned: boolean
  status: string
  plan: string | null
  me: string | null
  limit: number
  offset: number
  pinnedAfter?: boolean
  activeAfter?: string
  startedAfter?: string
  likesAfter?: number
  isNewAfter?: boolean
  idAfter?: string
}

/** Categories that a member without the plan, and whoever has none, cannot enter: access.ts says the same. */
const closed = (v: Values) =>
  sql`(select g.id from discussion_categories g
    where g.required_plans <> '{}' and not coalesce(${v.plan}::uuid = any (g.required_plans), false))`

/** Whom a search answers: the categories that are open. Staff see all. */
const openTo = (variant: Variant, v: Values) =>
  variant.gated
    ? sql`(select coalesce(array_agg(o.id::text), '{}') from discussion_categories o where o.id not in ${closed(v)})`
    : sql`null`

type Rows = SelectQueryBuilder<DB & { d: DB['discussions']; hit: Found }, 'd' | 'hit', object>

function matching(variant: Variant, v: Values): Rows {
  const all = variant.search
    ? query
        .selectFrom(found(SEARCHED, v, openTo(variant, v)).as('hit'))
        .innerJoin('discussions as d', 'd.id', 'hit.id')
    : query.selectFrom('discussions as d')
  return (all as unknown as Rows)
    .where('d.status', '=', v.status)
    .$if(variant.gated, (rows) => rows.where(sql<boolean>`d.category_id not in ${closed(v)}`))
    .$if(variant.own, (rows) => rows.where('d.author_id', '=', sql<string>`${v.me}::uuid`))
    .$if(variant.author, (rows) => rows.where('d.author_id', '=', sql<string>`${v.author}::uuid`))
    .$if(variant.pinned, (rows) => rows.where('d.is_pinned', '=', v.pinned))
    .$if(variant.category, (rows) =>
      rows.where(
        'd.category_id',
        '=',
        sql<string>`(select s.id from discussion_categories s where s.slug = ${v.category})`,
      ),
    )
}

/** The order of each sort, always downwards and ending with the id, and where a cursor of it goes on. */
const ORDERS = {
  latest: {
    by: ['d.is_pinned', 'd.last_activity_at', 'd.id'],
    types: ['boolean', 'timestamptz', 'uuid'],
    at: (row: ThreadRow): CursorValues => [row.is_pinned, row.active_at, row.id],
    after: (v: Values) => sql`(${v.pinnedAfter}::bool, ${v.activeAfter}::timestamptz, ${v.idAfter}::uuid)`,
  },
  newest: {
    by: ['d.created_at', 'd.id'],
    types: ['timestamptz', 'uuid'],
    at: (row: ThreadRow): CursorValues => [row.started_at, row.id],
    after: (v: Values) => sql`(${v.startedAfter}::timestamptz, ${v.idAfter}::uuid)`,
  },
  top: {
    by: ['d.likes', 'd.id'],
    types: ['number', 'uuid'],
    at: (row: ThreadRow): CursorValues => [row.likes, row.id],
    after: (v: Values) => sql`(${v.likesAfter}::int4, ${v.idAfter}::uuid)`,
  },
  unanswered: {
    by: ['(d.comment_count = 0)', 'd.created_at', 'd.id'],
    types: ['boolean', 'timestamptz', 'uuid'],
    at: (row: ThreadRow): CursorValues => [row.comment_count === 0, row.started_at, row.id],
    after: (v: Values) => sql`(${v.isNewAfter}::bool, ${v.startedAfter}::timestamptz, ${v.idAfter}::uuid)`,
  },
} as const

const orderOf = (sort: Sort | 'rank') => (sort === 'rank' ? ['hit.rank', 'd.id'] : ORDERS[sort].by)

const inOrder = (sort: Sort | 'rank') =>
  sql.join(
    orderOf(sort).map((column) => sql`${sql.raw(column)} desc`),
    sql`, `,
  )

const page = defineQueries('discussions_page', (variant: Variant) => (v: Values) => {
  const { sort } = variant
  const ids = matching(variant, v)
    .select('d.id')
    .$if(variant.search, (rows) => rows.select('hit.rank'))
    .$if(variant.after && sort !== 'rank', (rows) =>
      rows.where(sql<boolean>`(${sql.raw(orderOf(sort).join(', '))}) < ${ORDERS[sort as Sort].after(v)}`),
    )
    .orderBy(inOrder(sort))
  // Of a limit that is a parameter PostgreSQL assumes a tenth of all rows, and plans anew for each request. A page that
  // begins where its index scan does has a largest size.
  const few: SelectQueryBuilder<DB, never, { id: string }> = variant.skips
    ? ids.limit(v.limit).offset(v.offset)
    : query
        .selectFrom(ids.limit(sql.lit(LARGEST_PAGE + 1)).as('first'))
        .selectAll()
        .limit(v.limit)
  const rows = threads(v.me).innerJoin(few.as('hit'), 'hit.id', 'd.id').orderBy(inOrder(sort))
  return fitPage<ThreadRow & Fitted>(rows, threadColumns, { long: LONG_TEXTS, walks: variant.after })
})

const count = defineQueries(
  'discussions_total',
  (variant: Variant) => (v: Values) => matching(variant, v).select(sql<number>`count(*)`.as('total')),
)

/** Totals by category and status alone come from the counters. */
const counted = defineQueries(
  'discussions_counted',
  (variant: Variant) => (v: Values) =>
    query
      .selectFrom('discussion_counts as n')
      .select(sql<number>`coalesce(sum(n.discussions), 0)::int8`.as('total'))
      .where('n.status', '=', v.status)
      .$if(variant.gated, (rows) => rows.where(sql<boolean>`n.category_id not in ${closed(v)}`))
      .$if(variant.category, (rows) =>
        rows.where(
          'n.category_id',
          '=',
          sql<string>`(select s.id from discussion_categories s where s.slug = ${v.category})`,
        ),
      ),
)

/** What somebody asks of the list of discussions. */
export interface Listing {
  readonly viewer: Viewer
  readonly filter: ListQuery
}

const sortOf = ({ sort, search }: ListQuery): Sort | 'rank' =>
  sort ?? (search === undefined ? 'latest' : 'rank')

function toVariant({ viewer, filter }: Listing): Variant {
  const gated = !isStaff(viewer)
  return {
    sort: sortOf(filter),
    category: filter.category !== undefined,
    author: filter.author_id !== undefined,
    pinned: filter.pinned !== undefined,
    gated,
    own: gated && (filter.status ?? 'visible') !== 'visible',
    search: filter.search !== undefined,
    after: filter.cursor !== undefined,
    skips: filter.search !== undefined || (filter.cursor === undefined && filter.page > 1),
  }
}

function toValues({ viewer, filter }: Listing): Values {
  const { search = '', category = '', author_id, pinned = false, status = 'visible' } = filter
  return {
    ...sought(search, { audiences: null }),
    ...{ category, pinned },
    author: author_id === undefined ? null : idFromFilter('member', 'author_id', author_id),
    // What was removed is for staff.
    status: status === 'removed' && !isStaff(viewer) ? '' : status,
    plan: viewer.planId,
    me: viewer.memberId,
    limit: fetchLimit(filter),
    ...placeOf(filter),
  }
}

/** One page of discussions, and one more where there is one. @throws ApiError 400 for a cursor that is none */
export const listThreads = deriveQuery((listing: Listing) => page(toVariant(listing))(toValues(listing)))

/** How many discussions there are; 0 behind a cursor, where nobody counts. */
export const countThreads = deriveQuery((listing: Listing) => {
  if (listing.filter.cursor !== undefined) return answering(0)
  const variant = { ...toVariant(listing), sort: 'newest' as const, skips: false }
  const isPlain = !(variant.author || variant.pinned || variant.own || variant.search)
  return (isPlain ? counted : count)(variant)
    .map(({ total }) => total)
    .single()(toValues(listing))
})

/** Where a page begins. A search, which looks at 10,000 at the most, goes on by their number. */
export function placeOf(filter: ListQuery): Pick<Values, 'offset'> & Partial<Values> {
  if (filter.cursor === undefined) return { offset: offsetOf(filter) }
  const sort = sortOf(filter)
  if (sort === 'rank') {
    const [offset] = fromCursor(filter, sort, ['number'])
    return { offset: Math.min(Math.max(0, Number(offset)), MOST_MATCHES) }
  }
  const values = fromCursor(filter, sort, ORDERS[sort].types)
  const id = { offset: 0, idAfter: String(values.at(-1)) }
  if (sort === 'latest') return { ...id, pinnedAfter: values[0] === true, activeAfter: String(values[1]) }
  if (sort === 'newest') return { ...id, startedAfter: String(values[0]) }
  if (sort === 'top') return { ...id, likesAfter: Math.min(Math.max(0, Number(values[0])), 2_147_483_647) }
  return { ...id, isNewAfter: values[0] === true, startedAfter: String(values[1]) }
}

/** Where a list goes on behind the row at an index of its page. */
export function cursorAt(filter: ListQuery, row: ThreadRow, index: number): string {
  const sort = sortOf(filter)
  return sort === 'rank'
    ? toCursor(sort, [placeOf(filter).offset + index + 1])
    : toCursor(sort, ORDERS[sort].at(row))
}
