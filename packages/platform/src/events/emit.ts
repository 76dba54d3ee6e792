import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { defineQuery } from '../db/query.ts'
import { query } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import type { Transaction } from '../db/transaction.ts'
import { newUuid, parseId } from '../ids.ts'
import { currentRequestId } from '../telemetry/request-context.ts'
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
   * The public id of the member that the event is about, or null. The event is in that member's log, and is exported and
   * erased with the member.
   */
  member(data: Static<S>): string | null
  /** It says with which factors a member logs in: operators who may only read are not shown it. */
  readonly hiddenFromViewers?: true
}

/** Declares an event type; it becomes known by being listed in the catalogue of its area. */
export const defineEvent = <S extends TSchema>(type: EventType<S>): EventType<S> => Object.freeze(type)

/** The events of one transaction, column by column. */
interface NewEvents {
  readonly ids: string[]
  readonly types: string[]
  readonly payloads: string[]
  readonly memberIds: (string | null)[]
  readonly traceparents: (string | null)[]
  /** All of them come from one request. */
  readonly requestId: string | null
}

/**
 * One statement writes both rows of all events: a second one would cost much more than the few columns that the outbox
 * adds. Where a transaction has hundreds of events, one for each doubled the time until its commit.
 */
const insertEvents = defineQuery('insert_events', (v: NewEvents) =>
  query
    .with('event', (cte) =>
      cte
        .insertInto('events')
        .columns(['id', 'type', 'payload', 'member_id', 'request_id'])
        .expression(
          sql`select e.id, e.type, e.payload::json, e.member_id, ${v.requestId}::text
            from unnest(${v.ids}::uuid[], ${v.types}::text[], ${v.payloads}::text[], ${v.memberIds}::uuid[])
              as e (id, type, payload, member_id)`,
        ),
    )
    .insertInto('outbox')
    .columns(['id', 'kind', 'name', 'traceparent', 'request_id'])
    .expression(
      sql`select e.id, 'event', e.type, e.traceparent, ${v.requestId}::text
        from unnest(${v.ids}::uuid[], ${v.types}::text[], ${v.traceparents}::text[]) as e (id, type, traceparent)`,
    ),
)

/** What the statement of each transaction will write: it is sent with the commit, and until then events are added. */
const collected = new WeakMap<Transaction, NewEvents>()

/**
 * Writes an event in the caller's transaction: a transaction that is rolled back leaves no event, a committed one
 * always leaves it. The rows are sent with the commit.
 */
export function emit<S extends TSchema>(ctx: Context, type: EventType<S>, data: NoInfer<Static<S>>): void {
  emitEach(ctx, type, [data])
}

/** Writes one event of the same type for each item. */
export function emitEach<S extends TSchema>(
  ctx: Context,
  type: EventType<S>,
  all: readonly NoInfer<Static<S>>[],
): void {
  if (all.length === 0) return
  const before = collected.get(ctx.tx)
  const lists = { ids: [], types: [], payloads: [], memberIds: [], traceparents: [] }
  const events = before ?? { ...lists, requestId: currentRequestId() }
  const traceparent = currentTraceparent()
  for (const data of all) {
    events.ids.push(newUuid())
    events.types.push(type.name)
    events.payloads.push(JSON.stringify(data))
    events.memberIds.push(memberOf(type, data))
    events.traceparents.push(traceparent)
  }
  if (before !== undefined) return
  collected.set(ctx.tx, events)
  ctx.tx.askLast(insertEvents(events))
}

/** The stored id of the member that an event is about. */
export function memberOf<S extends TSchema>(type: EventType<S>, data: Static<S>): string | null {
  const id = type.member(data)
  return id === null ? null : (parseId('member', id) ?? null)
}
