import { sql } from 'kysely'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { tellSubscribers } from './job-types.ts'

/** A job that has not run so long after its time never will: another one is asked for. */
const LOST_MS = 3_600_000

const setDue = statement('set_digest_due', (v: { id: string; due: Date }) =>
  query
    .updateTable('discussions')
    .set({ digest_due_at: sql`${v.due}::timestamptz` })
    .where('id', '=', v.id),
)

/** Has subscribers told what is new, unless that is asked for already. The discussion is locked by the caller. */
export function askForDigest(
  ctx: Context,
  { id, digest_due_at }: { id: string; digest_due_at: string | null },
  due = new Date(),
): void {
  if (digest_due_at !== null && Date.parse(digest_due_at) > Date.now() - LOST_MS) return
  ctx.tx.defer(setDue, { id, due })
  enqueue(ctx, tellSubscribers, { discussion_id: id }, due)
}
