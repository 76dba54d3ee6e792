import { type Expression, sql } from 'kysely'
import type { DeferredResult } from '#platform/db/deferred-result.ts'
import { defineList } from '#platform/db/lists/list.ts'
import { choice, equals } from '#platform/db/lists/list-filters.ts'
import { isFound, withCappedTotal } from '#platform/db/search/list-search.ts'
import { sought } from '#platform/db/search/search.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { Pagination } from '#platform/http/page.ts'
import type { Visitor } from './access.ts'
import { isMergedIntoPrivate, itemsOf } from './queries.ts'
import type { SeenRow } from './rows.ts'
import type { ListQuery } from './schema.ts'

/** Names of filters whose words are columns of the counters, too. */
const COUNTED = new Set(['type', 'status', 'visibility', 'duplicates'])

/** The total that counters keep; undefined where a search has to be counted. */
function kept(given: ReadonlySet<string>, values: Readonly<Record<string, unknown>>) {
  if ([...given].some((name) => !COUNTED.has(name))) return undefined
  const conditions: Expression<unknown>[] = [sql`true`]
  if (given.has('status')) conditions.push(sql`state = ${values.status}`)
  if (given.has('duplicates')) conditions.push(sql`state <> 'duplicate'`)
  if (given.has('type')) conditions.push(sql`type = ${values.type}`)
  if (given.has('visibility')) conditions.push(sql`visibility = ${values.visibility}`)
  return sql<number>`(select coalesce(sum(items), 0)::int8 from feedback_counts
    where ${sql.join(conditions, sql` and `)})`
}

const list = defineList({
  label: 'feedback',
  rows: () => itemsOf().select(isMergedIntoPrivate),
  key: 'f.id',
  filters: {
    type: equals<string>('f.type'),
    status: equals<string>('f.state'),
    // In the words of the index.
    duplicates: choice<false>(() => sql`f.merged_into is null`),
    visibility: equals<string>('f.visibility'),
    found: isFound('feedback', 'f.id'),
  },
  sorts: { top: ['f.vote_count', 'int8'], new: ['f.id', 'uuid'] },
  kept,
})

const voted = statement('voted_feedback', (v: { ids: string[]; viewer: string }) =>
  query
    .selectFrom(sql<{ id: string }>`unnest(${v.ids}::uuid[])`.as('id'))
    .select('id')
    .where(
      sql<boolean>`exists (select from feedback_votes v where v.member_id = ${v.viewer}::uuid
        and v.feedback_id in (select app.feedback_downwards(id)))`,
    ),
)
/** Says of items whether a member’s vote counts for them. */
async function withVotes(ctx: Context, rows: Omit<SeenRow, 'voted'>[], viewer: string): Promise<SeenRow[]> {
  const found = await ctx.tx.all(voted, { ids: rows.map(({ id }) => id), viewer })
  const ids = new Set(found.map(({ id }) => id))
  return rows.map((row) => ({ ...row, voted: ids.has(row.id) }))
}

interface Page {
  rows: SeenRow[]
  pagination: Pagination
}

/** One page of the items that this visitor may list. */
export function listItems(ctx: Context, visitor: Visitor, request: ListQuery): PromiseLike<Page> {
  const { search, status, visibility, ...others } = request
  const audiences = visitor.isTeam ? null : ['public']
  const page: DeferredResult<{ rows: Omit<SeenRow, 'voted'>[]; pagination: Pagination }> = list(ctx, {
    ...others,
    ...(status === undefined ? { duplicates: false } : { status }),
    visibility: visitor.isTeam ? visibility : 'public',
    ...(search !== undefined && { found: sought(search, { audiences }) }),
  }).map(withCappedTotal)
  const viewer = visitor.memberId
  if (viewer === null)
    return page.map(({ rows, pagination }) => ({
      rows: rows.map((row) => ({ ...row, voted: false })),
      pagination,
    }))
  return page.then(async ({ rows, pagination }) => ({ rows: await withVotes(ctx, rows, viewer), pagination }))
}
