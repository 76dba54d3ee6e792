import { sql } from 'kysely'
import { query, statement } from '../db/statement.ts'
import type { Context } from '../db/tenant.ts'
import { newUuid } from '../ids.ts'
import type { Wake } from './wake.ts'

const insertWake = statement(
  'insert_outbox_wake',
  (v: { id: string; drain: string; lane: string; payload: string }) =>
    query
      .insertInto('outbox')
      .values({ id: v.id, kind: 'wake', name: v.drain, lane: v.lane, payload: sql`${v.payload}::json` }),
)

/** Wakes a drain when the caller's transaction has committed: what it made due is begun at once, not at the next sweep. */
export function wakeAfterCommit(
  ctx: Context,
  { lane, drain, key }: Pick<Wake, 'lane' | 'drain' | 'key'>,
): void {
  ctx.tx.defer(insertWake, { id: newUuid(), drain, lane, payload: JSON.stringify({ key }) })
}
