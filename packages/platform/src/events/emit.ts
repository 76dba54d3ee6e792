import { sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { query, statement } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import { newUuid } from '../ids.ts'
import { currentTraceparent } from '../trace.ts'

/** Something that an area announces: its name, what it says, and an example that fits. */
export interface EventType<S extends TSchema = TSchema> {
  /** `noun.verb_in_the_past`. */
  readonly name: string
  readonly description: string
  /** The object that the event is about, as the API shows it. */
  readonly data: S
  readonly example: Static<S>
}

/** Declares an event type; it becomes known by being listed in the catalogue of its area. */
export const defineEvent = <S extends TSchema>(type: EventType<S>): EventType<S> => Object.freeze(type)

interface NewEvent {
  id: string
  type: string
  payload: string
  traceparent: string | null
}

/** One statement for both rows: what the outbox adds to an event is a few words, what a statement costs is not. */
const insertEvent = statement('insert_event', (v: NewEvent) =>
  query
    .with('event', (cte) =>
      cte.insertInto('events').values({ id: v.id, type: v.type, payload: sql`${v.payload}::json` }),
    )
    .insertInto('outbox')
    .values({ id: v.id, kind: 'event', name: v.type, traceparent: v.traceparent }),
)

/**
 * Announces an event in the caller's transaction: a rolled-back request announces nothing, a committed one always does.
 * The rows travel with the commit.
 */
export function emit<S extends TSchema>(ctx: Context, type: EventType<S>, data: NoInfer<Static<S>>): void {
  ctx.tx.effect(insertEvent, {
    id: newUuid(),
    type: type.name,
    payload: JSON.stringify(data),
    traceparent: currentTraceparent(),
  })
}
