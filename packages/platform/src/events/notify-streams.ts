import { type RawBuilder, sql } from 'kysely'
import { defineQuery } from '../db/query.ts'
import type { Context } from '../db/tenant.ts'

/** What only open streams get. It is no event: no webhook gets it, and no log keeps it for longer than a day. */
export interface Notice {
  /** `noun.verb_in_the_past`, like the name of an event. */
  readonly name: string
  readonly description: string
}

/** Declares a notice; it becomes known by being listed with a topic. */
export const defineNotice = (notice: Notice): Notice => Object.freeze(notice)

const insertNotice = defineQuery(
  'insert_notice',
  (v: { name: string; subject: string }) =>
    sql<object>`${noticesOf(v.name, sql`(select ${v.subject}::uuid as id)`)}`,
)

/**
 * Notifies streams in the caller's transaction: they get the notice if it is committed.
 * @param subject the stored id of what it is about. What is published of it is read when it is published
 */
export function notifyStreams(ctx: Context, { name }: Notice, subject: string): void {
  ctx.tx.askLast(insertNotice({ name, subject }))
}

/**
 * The same as a part of a statement.
 * @param subjects rows with the column `id`
 */
export const noticesOf = (
  name: RawBuilder<string> | string,
  subjects: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`insert into outbox (id, kind, name, payload)
  select app.uuid_v7(), 'stream', ${name}, json_build_object('subject', about.id) from ${subjects} as about`
