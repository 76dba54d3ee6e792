import { type SqlBool, sql } from 'kysely'
import { defineQueries, defineQuery, deriveQuery, mapAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { type Fitted, fitPage, isCutShort } from '#platform/lists/fit-page.ts'
import { defineList } from '#platform/lists/list.ts'
import { betweenByIds, condition, equals } from '#platform/lists/list-filters.ts'
import { type EventRow, toEventRecord } from './service.ts'

const events = () => query.selectFrom('events').select(['id', 'type', 'payload', 'occurred_at'])

/** The payload of an event, such as a comment, can be long. */
const long = { json: { payload: 'json' } } as const

interface Page {
  /** The last event that is known; from the beginning where undefined. */
  readonly after?: string | undefined
  /** Those that are wanted; all where undefined. */
  readonly types?: readonly string[] | undefined
  readonly limit: number
}

const eventsAfter = defineQueries(
  'events_log',
  (variant: { readonly after: boolean; readonly ofType: boolean }) => (v: Page) => {
    const page = events()
      .where(sql<boolean>`tx < pg_snapshot_xmin(pg_current_snapshot())`)
      .$if(variant.after, (rows) =>
        rows.where(sql<boolean>`(tx, id) > (select e.tx, e.id from events e where e.id = ${v.after})`),
      )
      .$if(variant.ofType, (rows) => rows.where('type', '=', sql<string>`any (${v.types}::text[])`))
      .orderBy('tx')
      .orderBy('id')
      .limit(v.limit)
    return fitPage<EventRow & Fitted>(page, ['id', 'type', 'payload', 'occurred_at'], { long, walks: true })
  },
)

/**
 * The next events of the log, in the order in which their transactions began to write. Only events older than the oldest
 * running transaction are returned: later commits come after them, so a reader who continues after the last event misses
 * nothing. A long transaction delays the log, but hides nothing permanently.
 */
export const listEvents = deriveQuery((page: Page) =>
  mapAnswer(
    eventsAfter({ after: page.after !== undefined, ofType: page.types !== undefined })(page),
    (rows) => ({
      events: rows.map(toEventRecord),
      // A page of long events ends early.
      hasMore: rows.length >= page.limit || isCutShort(rows),
    }),
  ),
)

/** Undefined for another project's event, too. */
export const findEvent = defineQuery('event_id', (v: { id: string }) =>
  query.selectFrom('events').select('id').where('id', '=', v.id),
).first()

/** One page of what the log has about a member, the newest first, and how much there is in all. */
export const listMemberEvents = defineList({
  label: 'member_events',
  rows: events,
  map: toEventRecord,
  long,
  key: 'id',
  scope: { member_id: equals<string>('member_id') },
  filters: {
    types: condition<readonly string[]>((value) => sql<SqlBool>`type = any (${value}::text[])`),
    ...betweenByIds('id', 'occurred_at'),
  },
  sorts: { timestamp: ['id', 'uuid'] },
})
