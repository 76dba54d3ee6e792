import { Type } from 'typebox'
import type { Config } from '#platform/config.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import { sendDigest } from './send-digest.ts'

/** Notifies at once, after a post, whoever has had no mail within the hour. */
export const notifySubscribers = defineJob({
  name: 'discussions.notify-subscribers',
  lane: 'mail',
  payload: Type.Object({ discussion_id: Type.String({ format: 'uuid' }) }),
  attempts: 8,
  run: (run, { discussion_id: id }) => run.record((ctx) => notifyWaiting(ctx, run.deps.config, id)),
})

/** Notifies those who wait; the job goes on where they are more than one transaction notifies. */
export async function notifyWaiting(ctx: Context, config: Config, id: string): Promise<void> {
  if (await sendDigest(ctx, config, id)) askForDigest(ctx, { id, digest_due_at: null })
}

const setDue = defineQuery('set_digest_due', (v: { id: string }) =>
  query.updateTable('discussions').set({ digest_due_at: now }).where('id', '=', v.id),
)

/**
 * Has subscribers notified of what is new, unless that is due already, now or later. The discussion is locked by the caller. A
 * job notifies them at once; should it fail for good, the due work finds what is still due.
 */
export function askForDigest(
  ctx: Context,
  { id, digest_due_at }: { id: string; digest_due_at: string | null },
): void {
  if (digest_due_at !== null) return
  setDue(ctx, { id })
  enqueue(ctx, notifySubscribers, { discussion_id: id })
}
