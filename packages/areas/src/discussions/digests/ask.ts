import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { tellSubscribers } from './job-types.ts'

const setDue = statement('set_digest_due', (v: { id: string }) =>
  query.updateTable('discussions').set({ digest_due_at: now }).where('id', '=', v.id),
)

/**
 * Has subscribers told what is new, unless that is due already, now or later. The discussion is locked by the caller. A
 * job tells them at once; should it fail for good, the due work finds what is still due.
 */
export function askForDigest(
  ctx: Context,
  { id, digest_due_at }: { id: string; digest_due_at: string | null },
): void {
  if (digest_due_at !== null) return
  ctx.tx.defer(setDue, { id })
  enqueue(ctx, tellSubscribers, { discussion_id: id })
}
