import { type Expression, sql } from 'kysely'
import { answering, defineQuery, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { type Ask, query } from '#platform/db/statement.ts'
import { isStaff, type Viewer } from '#platform/http/viewer.ts'
import { defineList } from '#platform/lists/list.ts'
import { choice, equals } from '#platform/lists/list-filters.ts'
import { found, type Sought, sought } from '#platform/search/search.ts'
import { isMergedIntoPrivate, itemsOf } from './queries.ts'
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

interface Listing extends ListQuery {
  readonly viewer: Viewer
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
  },
  sorts: { top: ['f.vote_count', 'int8'], new: ['f.id', 'uuid'] },
  search: {
    toValues: (text) => ({ ...sought(text, { audiences: null }) }),
    // Private items are in no audience: who lists public items finds those alone.
    where: (v, has) => {
      const audiences = has('visibility')
        ? sql`case when ${v.visibility} = 'public' then array['public'] end`
        : sql`null`
      return sql`f.id in (select hit.id from ${found('feedback', v as unknown as Sought, audiences)} as hit)`
    },
  },
  kept,
})

/** One page of the items that this viewer may list. */
export const listItems = deriveQuery(({ viewer, status, visibility, ...others }: Listing) =>
  list({
    ...others,
    ...(status === undefined ? { duplicates: false } : { status }),
    visibility: isStaff(viewer) ? visibility : 'public',
  }),
)

const voted = defineQuery('voted_feedback', (v: { ids: string[]; member: string }) =>
  query
    .selectFrom(sql<{ id: string }>`unnest(${v.ids}::uuid[])`.as('id'))
    .select('id')
    .where(
      sql<boolean>`exists (select from feedback_votes v where v.member_id = ${v.member}::uuid
        and v.feedback_id in (select app.feedback_downwards(id)))`,
    ),
)
/** Those of the items for which a member’s vote counts. */
export const votesOf = deriveQuery(
  ({ rows, viewer: { memberId } }: { rows: readonly { id: string }[]; viewer: Viewer }): Ask<Set<string>> =>
    memberId === null
      ? answering(new Set())
      : mapAnswer(
          voted({ ids: rows.map(({ id }) => id), member: memberId }),
          (found) => new Set(found.map(({ id }) => id)),
        ),
)
