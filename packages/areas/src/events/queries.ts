import { type SqlBool, sql } from 'kysely'
import { defineList } from '#platform/db/lists/list.ts'
import { condition, equals } from '#platform/db/lists/list-filters.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

interface Variant {
  readonly after: boolean
  readonly ofType: boolean
}
interface Values {
  after: string
  types: readonly string[]
  limit: number
}

/**
 * Events in the order in which their transactions began to write. Only events older than the oldest running transaction
 * are returned: later commits come after them, so a reader who continues after the last event misses nothing. A long
 * transaction delays the log, but hides nothing permanently.
 */
const log = statements(
  'events_log',
  (variant: Variant) => (v: Values) =>
    query
      .selectFrom('events')
      .select(['id', 'type', 'payload', 'occurred_at'])
      .where(sql<boolean>`tx < pg_snapshot_xmin(pg_current_snapshot())`)
      .$if(variant.after, (rows) =>
        rows.where(sql<boolean>`(tx, id) > (select e.tx, e.id from events e where e.id = ${v.after})`),
      )
      .$if(variant.ofType, (rows) => rows.where('type', '=', sql<string>`any (${v.types}::text[])`))
      .orderBy('tx')
      .orderBy('id')
      .limit(v.limit),
)

const known = statement('event_id', (v: { id: string }) =>
  query.selectFrom('events').select('id').where('id', '=', v.id),
)

/** Whether the log has an event; false for another project's too. */
export const hasEvent = (ctx: Context, id: string) =>
  ctx.tx.first(known, { id }).map((row) => row !== undefined)

/**
 * The next events of the log.
 * @param after the last one that is known; from the beginning where undefined
 * @param types those that are wanted; all where undefined
 */
export const listEvents = (
  ctx: Context,
  after: string | undefined,
  types: readonly string[] | undefined,
  limit: number,
) =>
  ctx.tx.all(log({ after: after !== undefined, ofType: types !== undefined }), {
    after: after ?? '',
    types: types ?? [],
    limit,
  })

/** One page of what the log has about a member, the newest first, and how much there is in all. */
export const listMemberEvents = defineList({
  label: 'member_events',
  rows: () => query.selectFrom('events').select(['id', 'type', 'payload', 'occurred_at']),
  key: 'id',
  scope: { member_id: equals<string>('member_id') },
  filters: {
    types: condition<readonly string[]>((value) => sql<SqlBool>`type = any (${value}::text[])`),
  },
})
