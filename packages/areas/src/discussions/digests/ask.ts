import { Type } from 'typebox'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { enqueue, type JobType } from '#platform/jobs/enqueue.ts'

const Payload = Type.Object({ discussion_id: Type.String({ format: 'uuid' }) })

/** Tells subscribers of a discussion what is new in it. */
export const tellSubscribers = {
  name: 'discussions.notify-subscribers',
  lane: 'mail',
  payload: Payload,
} as const satisfies JobType<typeof Payload>

const setDue = defineQuery('set_digest_due', (v: { id: string }) =>
  query.updateTable('discussions').set({ digest_due_at: now }).where('id', '=', v.id),
)

/**
 * Has subscribers notified of what is new, unless that is due already, now or later. The discussion is locked by the caller. A
 * job tells them at once; should it fail for good, the due work finds what is still due.
 */
export function askForDigest(
  ctx: Context,
  { id, digest_due_at }: { id: string; digest_due_at: string | null },
): void {
  if (digest_due_at !== null) return
  setDue(ctx, { id })
  enqueue(ctx, tellSubscribers, { discussion_id: id })
}
