import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import type { Kind } from './schema.ts'

export interface TimelineRow {
  kind: Kind
  /** Of the entry itself, by which entries are in order. */
  entry: string
  /** The stored id of the thing. */
  id: string
  at: string
  title: string
  state: string | null
  request_id: string | null
  actor: string | null
  actor_id: string | null
  reason: string | null
}

interface Page {
  member: string
  /** The public id of the member. */
  target: string
  kinds: readonly Kind[]
  /** The event types that are shown; null for all. */
  types: readonly string[] | null
  /** The last entry that is known; null at the beginning. */
  before: string | null
  limit: number
}

/**
 * What is known of a member, the newest first. Each part is read by an index of its own, and no further than a page. Ids are
 * ordered by time, so that one id is a place in all parts.
 */
export const timelinePage = defineQuery('member_timeline', (v: Page) => {
  const part = (kind: Kind, select: ReturnType<typeof sql>) => sql`
    (select * from (${select}) part where ${sql.lit(kind)} = any (${v.kinds}::text[])
      and (${v.before}::uuid is null or part.entry < ${v.before}::uuid)
    order by part.entry desc limit ${v.limit}::int4)`
  const nothing = sql`null::text as actor, null::text as actor_id, null::text as reason`
  const parts = [
    part(
      'event',
      sql`select 'event' as kind, id as entry, id, occurred_at as at, type as title, null::text as state, request_id, ${nothing}
        from events where member_id = ${v.member}::uuid
          and (${v.types}::text[] is null or type = any (${v.types}::text[]))`,
    ),
    part(
      'mail',
      sql`select 'mail', id as entry, id, created_at, mail, state, request_id, ${nothing}
        from mails where member_id = ${v.member}::uuid`,
    ),
    part(
      'order',
      sql`select 'order', h.id as entry, o.id, h.created_at, o.number, h.to_status, null::text, h.actor_kind, h.actor_id, h.reason
        from orders o join order_history h on h.order_id = o.id where o.member_id = ${v.member}::uuid`,
    ),
    part(
      'session',
      sql`select 'session', id as entry, id, created_at, array_to_string(amr, ', '),
          case when ended_at is null then null else coalesce(end_reason, 'ended') end, null::text, ${nothing}
        from sessions where member_id = ${v.member}::uuid`,
    ),
    part(
      'act',
      sql`select 'act', id as entry, id, created_at, action, null::text, request_id, actor_kind, actor_id, reason
        from audit_log where target = ${v.target}::text`,
    ),
    part(
      'request',
      sql`select 'request', id as entry, id, at, method || ' ' || route, status::text, request_id, 'member', ${v.target}::text, code
        from request_log where member_id = ${v.member}::uuid`,
    ),
  ]
  return sql<TimelineRow>`select * from (${sql.join(parts, sql` union all `)}) entries order by entry desc limit ${v.limit}::int4`
})
