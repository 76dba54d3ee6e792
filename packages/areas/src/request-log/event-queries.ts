import { type InferResult, type SqlBool, sql } from 'kysely'
import { defineLookup } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { parseId, toId } from '#platform/ids.ts'
import { defineList } from '#platform/lists/list.ts'
import { betweenByIds, condition, hasId } from '#platform/lists/list-filters.ts'
import type { LoggedEvent } from './event-schema.ts'

const rows = () => query.selectFrom('events').select(['id', 'type', 'occurred_at', 'member_id', 'request_id'])

/** An event as operators see it in the log. */
const toEvent = (row: InferResult<ReturnType<typeof rows>>[number]): LoggedEvent => ({
  id: toId('event', row.id),
  type: row.type,
  timestamp: row.occurred_at,
  member_id: row.member_id === null ? null : toId('member', row.member_id),
  request_id: row.request_id,
})

/** One page of the log, the newest event first. Its ids are in the order of time. */
export const listLoggedEvents = defineList({
  label: 'events_newest_first',
  rows,
  map: toEvent,
  key: 'id',
  counts: false,
  filters: {
    types: condition<readonly string[]>((value) => sql<SqlBool>`type = any (${value}::text[])`),
    member_id: hasId('member_id', (text) => parseId('member', text)),
    ...betweenByIds('id', 'occurred_at'),
  },
  sorts: { timestamp: ['id', 'uuid'] },
})

/** One event with what webhooks got. @throws ApiError 404 */
export const getLoggedEvent = defineLookup('logged_event', (v: { id: string }) =>
  query
    .selectFrom('events')
    .select(['id', 'type', 'occurred_at', 'member_id', 'request_id', 'payload'])
    .where('id', '=', v.id),
)
  .map(({ payload, ...row }) => ({ ...toEvent(row), data: payload }))
  .one('Event')
