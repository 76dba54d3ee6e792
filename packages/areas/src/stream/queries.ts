import { sql } from 'kysely'
import { defineLookup, defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { OperatorLogin } from '#platform/tokens/access-token.ts'
import type { OperatorToken } from '#platform/tokens/operator-token.ts'

/** For how long a client can resume. */
export const KEPT_HOURS = 24

/** The number of the last row of the project's log. */
export const lastPosition = defineLookup('stream_position', () =>
  query.selectFrom('stream_positions').select('last'),
)
  .map(({ last }) => last)
  .first()

/** Whether the next row behind a number is still there for whoever resumes. */
export const nextIsKept = defineLookup(
  'stream_next_is_kept',
  (v: { after: number }) =>
    sql<{ kept: boolean }>`select numbered_at > now() - make_interval(hours => ${sql.lit(KEPT_HOURS)}) as kept
      from stream_log where position = ${v.after}::bigint + 1`,
)
  .map(({ kept }) => kept)
  .first()

/** A row of the log, with the data of its event where somebody wants it. */
export interface LogRow {
  position: number
  id: string
  type: string
  subject_id: string | null
  occurred_at: string
  about_id: string | null
  discussion_id: string | null
  feedback_id: string | null
  payload: string | null
}

/**
 * The next rows of the log. Rows are committed in the order of their numbers, so a reader that continues behind the
 * last one misses nothing. Each event is looked up by its key (`offset 0`): while PostgreSQL believes that a project has few events, it
 * would join by reading all of them for each page.
 * @param v.payloads whether the data of events is read, too
 * @param v.upTo a number up to which rows are read
 */
export const readLog = defineQuery(
  'read_stream_log',
  (v: { after: number; upTo: number; limit: number; payloads: boolean }) => sql<LogRow>`
    select l.position, l.id, l.type, l.subject_id, l.occurred_at,
      e.payload ->> 'id' as about_id, e.payload ->> 'discussion_id' as discussion_id,
      e.payload ->> 'feedback_id' as feedback_id, case when ${v.payloads}::bool then e.payload::text end as payload
    from stream_log l
      left join lateral (select payload from events where id = l.id and l.subject_id is null offset 0) as e on true
    where l.position > ${v.after}::bigint and l.position <= ${v.upTo}::bigint
    order by l.position limit ${v.limit}`,
)

/**
 * Waits until all that was read before is on the disk of the database: relays do not wait for it (decision 0010), and what a
 * client was sent must not get another number after a crash of the server.
 */
export const waitForDisk = defineQuery('wait_for_disk', () =>
  query.selectNoFrom(sql<string>`pg_logical_emit_message(true, 'guildhall', '')::text`.as('written')),
)

/** Whether the project rests; undefined for one that there is not. */
export const findRest = defineQuery('stream_project_rest', () =>
  query
    .selectFrom('projects')
    .select(sql<boolean>`deleted_at is null and suspended_at is not null`.as('suspended'))
    .select(sql<boolean>`deleted_at is not null`.as('deleted'))
    .select(
      sql<boolean>`exists (select from project_locations l where l.id = app.current_project())`.as('moved'),
    )
    .where('id', '=', sql<string>`app.current_project()`),
).first()

/** Members who may listen: those who may log in. */
export const listeningMembers = defineQuery('listening_members', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('members as m')
    .innerJoin('projects as p', 'p.id', 'm.project_id')
    .select(['m.id', 'm.plan_id'])
    .select(sql<boolean>`m.role = any (p.moderator_roles)`.as('is_moderator'))
    .where('m.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('m.status', '<>', 'inactive')
    .where('m.deleted_at', 'is', null),
)

/** Sessions that go on. */
export const openSessions = defineQuery('open_sessions', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`),
).map(({ id }) => id)

/** Keys that work. */
export const workingKeys = defineQuery('working_keys', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('api_keys')
    .select(['id', 'permissions'])
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where(sql<boolean>`coalesce(revoked_at > now(), true) and coalesce(expires_at > now(), true)`),
)

interface NewTicketRow {
  readonly id: string
  readonly hash: Buffer
  readonly member_id: string | null
  readonly session_id: string | null
  readonly key_id: string | null
  /** The claims of the operator, as JSON. */
  readonly operator: string | null
  readonly topics: readonly string[]
  readonly seconds: number
}

export const insertTicket = defineQuery('insert_stream_ticket', (v: NewTicketRow) =>
  query
    .insertInto('stream_tickets')
    .values({
      ...pick(v, 'id', 'hash', 'member_id', 'session_id', 'key_id'),
      operator: sql`${v.operator}::jsonb`,
      topics: sql`${v.topics}::text[]`,
      expires_at: sql`now() + make_interval(secs => ${v.seconds})`,
    })
    .returning(['expires_at']),
).single()

const TICKET = ['member_id', 'session_id', 'key_id', 'topics'] as const

export const findTicket = defineLookup('stream_ticket', (v: { hash: Buffer }) =>
  query
    .selectFrom('stream_tickets')
    .select([...TICKET, 'used_at'])
    .select(sql<OperatorToken | OperatorLogin | null>`operator`.as('operator'))
    .select(sql<boolean>`expires_at <= now()`.as('is_expired'))
    .where('hash', '=', v.hash),
).first()

/** Marks a ticket as used; undefined where it cannot be used any more. */
export const takeTicket = defineQuery('use_stream_ticket', (v: { hash: Buffer }) =>
  query
    .updateTable('stream_tickets')
    .set({ used_at: sql`now()` })
    .where('hash', '=', v.hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`now()`)
    .returning('id'),
).first()
