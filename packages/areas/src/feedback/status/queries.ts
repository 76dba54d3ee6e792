import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQueries, defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { defineList } from '#platform/lists/list.ts'
import { equals } from '#platform/lists/list-filters.ts'
import { itemsOf, seenBy } from '../queries.ts'
import { itemColumns } from '../rows.ts'
import { ROADMAP_STATUSES, type RoadmapQuery } from './schema.ts'

/** Of an item that is locked. */
export const setStatus = defineQuery(
  'set_feedback_status',
  (v: { id: string; status: string; note: string | null }) =>
    query
      .updateTable('feedback')
      .set({
        status: v.status,
        status_note: v.note,
        status_changed_at: sql`case when status = ${v.status} then status_changed_at else ${now} end`,
        updated_at: now,
      })
      .where('id', '=', v.id)
      .returning(itemColumns),
).single()

const changeColumns = [
  'id',
  'previous_status',
  'status',
  'note',
  'notify_voters',
  'member_id',
  'created_at',
] as const

interface NewChange {
  id: string
  feedback_id: string
  previous_status: string
  status: string
  note: string | null
  notify_voters: boolean
  member_id: string | null
}
export const insertChange = defineQuery('insert_feedback_status_change', (v: NewChange) =>
  query
    .insertInto('feedback_status_changes')
    .values({
      ...pick(v, 'id', 'feedback_id', 'previous_status', 'status', 'note', 'notify_voters', 'member_id'),
      created_at: now,
    })
    .returning(changeColumns),
).single()

/** What became of an item, the latest first. */
export const listChanges = defineList({
  label: 'feedback_status_changes',
  rows: () =>
    query
      .selectFrom('feedback_status_changes as c')
      .select(changeColumns.map((column) => `c.${column}` as const)),
  key: 'c.id',
  scope: { feedbackId: equals<string>('c.feedback_id') },
})

interface Typed {
  readonly typed: boolean
}
const publicOf = ({ typed }: Typed, v: { type: string }) =>
  query
    .selectFrom('feedback as f')
    .where('f.visibility', '=', 'public')
    .$if(typed, (rows) => rows.where('f.type', '=', v.type))

const roadmap = defineQueries(
  'roadmap',
  (variant: Typed) => (v: { type: string; viewer: Viewer; member: string | null; limit: number }) => {
    const [first, ...others] = ROADMAP_STATUSES.map((status) =>
      query
        .selectFrom(
          publicOf(variant, v)
            .where('f.state', '=', status)
            .select(['f.id', 'f.vote_count'])
            .orderBy('f.vote_count', 'desc')
            .orderBy('f.id', 'desc')
            .limit(v.limit)
            .as(status),
        )
        .select('id'),
    )
    const shown = others.reduce((all, next) => all.unionAll(next), first as NonNullable<typeof first>)
    return itemsOf()
      .select(seenBy(v.member))
      .where('f.id', 'in', shown)
      .orderBy('f.vote_count', 'desc')
      .orderBy('f.id', 'desc')
  },
)
const roadmapTotals = defineQueries(
  'roadmap_totals',
  ({ typed }: Typed) =>
    (v: { type: string }) =>
      query
        .selectFrom('feedback_counts')
        .select(['state', sql<number>`sum(items)::int8`.as('total')])
        .where('visibility', '=', 'public')
        .$if(typed, (rows) => rows.where('type', '=', v.type))
        .groupBy('state'),
)
interface Roadmap extends RoadmapQuery {
  readonly viewer: Viewer
}
/** The public items that are on the way, most votes first. */
export const listRoadmap = deriveQuery(({ viewer, type, limit }: Roadmap) =>
  roadmap({ typed: type !== undefined })({
    type: type ?? '',
    viewer,
    member: viewer.memberId,
    limit,
  }),
)
/** How many of them there are of each status. */
export const countRoadmap = deriveQuery(({ type }: RoadmapQuery) =>
  roadmapTotals({ typed: type !== undefined })({ type: type ?? '' }),
)

/** Public items that are done, the latest first. */
export const listChangelog = defineList({
  label: 'changelog',
  rows: () =>
    query
      .selectFrom('feedback as f')
      .select([
        'f.id',
        'f.type',
        'f.title',
        'f.message',
        'f.status_note',
        'f.vote_count',
        'f.author_id',
        'f.status_changed_at',
      ])
      .where('f.visibility', '=', 'public')
      .where('f.merged_into', 'is', null)
      .where('f.status', '=', 'done'),
  key: 'f.id',
  filters: { type: equals<string>('f.type') },
  sorts: { done: ['f.status_changed_at', 'timestamptz'] },
  kept: (given, values) =>
    sql<number>`(select coalesce(sum(items), 0)::int8 from feedback_counts
      where visibility = 'public' and state = 'done' ${given.has('type') ? sql`and type = ${values.type}` : sql``})`,
})
