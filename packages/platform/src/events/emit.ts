import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { query, statement } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import { newUuid, parseId } from '../ids.ts'
import { currentTraceparent } from '../telemetry/trace-context.ts'

/** Something that an area announces: its name, what it says, and an example that fits. */
export interface EventType<S extends TSchema = TSchema> {
  /** `noun.verb_in_the_past`. */
  readonly name: string
  readonly description: string
  /** The object that the event is about, as the API shows it. */
  readonly data: S
  readonly example: Static<S>
  /**
   * The public id of the member that the event tells of, or null. The event is in that member's log, and is exported and
   * erased with the member.
   */
  member(data: Static<S>): string | null
}

/** Declares an event type; it becomes known by being listed in the catalogue of its area. */
export const defineEvent = <S extends TSchema>(type: EventType<S>): EventType<S> => Object.freeze(type)

interface NewEvent {
  id: string
  type: string
  payload: string
  memberId: string | null
  traceparent: string | null
}

/**
 * One statement writes both rows: a second statement would cost much more than the few columns that the outbox adds.
 */
const insertEvent = statement('insert_event', (v: NewEvent) =>
  query
    .with('event', (cte) =>
      cte
        .insertInto('events')
        .values({ id: v.id, type: v.type, payload: sql`${v.payload}::json`, member_id: v.memberId }),
    )
    .insertInto('outbox')
    .values({ id: v.id, kind: 'event', name: v.type, traceparent: v.traceparent }),
)

/**
 * Writes an event in the caller's transaction: a transaction that is rolled back leaves no event, a committed one
 * always leaves it. The rows are sent with the commit.
 */
export function emit<S extends TSchema>(ctx: Context, type: EventType<S>, data: NoInfer<Static<S>>): void {
  ctx.tx.defer(insertEvent, {
    id: newUuid(),
    type: type.name,
    payload: JSON.stringify(data),
    memberId: memberOf(type, data),
    traceparent: currentTraceparent(),
  })
}

interface NewEvents {
  ids: string[]
  type: string
  payloads: string[]
  memberIds: (string | null)[]
  traceparent: string | null
}

const insertEvents = statement('insert_events', (v: NewEvents) =>
  query
    .with('event', (cte) =>
      cte
        .insertInto('events')
        .columns(['id', 'type', 'payload', 'member_id'])
        .expression(
          sql`select e.id, ${v.type}::text, e.payload::json, e.member_id
            from unnest(${v.ids}::uuid[], ${v.payloads}::text[], ${v.memberIds}::uuid[])
              as e (id, payload, member_id)`,
        ),
    )
    .insertInto('outbox')
    .columns(['id', 'kind', 'name', 'traceparent'])
    .expression(
      sql`select e.id, 'event', ${v.type}::text, ${v.traceparent}::text from unnest(${v.ids}::uuid[]) as e (id)`,
    ),
)

/** Writes one event of the same type for each item, in one statement. */
export function emitEach<S extends TSchema>(
  ctx: Context,
  type: EventType<S>,
  all: readonly NoInfer<Static<S>>[],
): void {
  if (all.length === 0) return
  ctx.tx.defer(insertEvents, {
    ids: all.map(() => newUuid()),
    type: type.name,
    payloads: all.map((data) => JSON.stringify(data)),
    memberIds: all.map((data) => memberOf(type, data)),
    traceparent: currentTraceparent(),
  })
}

/** The stored id of the member that an event tells of. */
export function memberOf<S extends TSchema>(type: EventType<S>, data: Static<S>): string | null {
  const id = type.member(data)
  return id === null ? null : (parseId('member', id) ?? null)
}
