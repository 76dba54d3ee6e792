import { sql } from 'kysely'
import { defineQuery } from '../../db/query.ts'
import { query } from '../../db/statement.ts'
import type { Context } from '../../db/tenant.ts'
import { newUuid } from '../../ids.ts'
import { SIGNAL_KIND, type WorkSignal } from './work-signal.ts'

const insertSignal = defineQuery(
  'insert_outbox_signal',
  (v: { id: string; consumer: string; lane: string; payload: string }) =>
    query.insertInto('outbox').values({
      id: v.id,
      kind: SIGNAL_KIND,
      name: v.consumer,
      lane: v.lane,
      payload: sql`${v.payload}::json`,
    }),
)

/** Signals a consumer when the caller's transaction has committed: what it made due is begun at once, not at the next sweep. */
export function signalAfterCommit(
  ctx: Context,
  { lane, consumer, key }: Pick<WorkSignal, 'lane' | 'consumer' | 'key'>,
): void {
  ctx.tx.askLast(insertSignal({ id: newUuid(), consumer, lane, payload: JSON.stringify({ key }) }))
}
