import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'
import { notifyWaiting } from './notify-subscribers.job.ts'
import { listDueDigests, nextDigest } from './queries.ts'

const AT_ONCE = 50

/**
 * Notifies, once their hour is over, those who had a mail before. A digest is sent under the lock of its discussion, so that
 * of two workers one finds nothing new.
 */
export const notifyDueSubscribers = defineDueWork({
  name: 'discussions.notify-subscribers',
  next: nextDigest,
  workOff: async (run) => {
    const { due } = await run.read({ due: listDueDigests({ limit: AT_ONCE }) })
    for (const { id } of due) await run.write((ctx) => notifyWaiting(ctx, run.deps.config, id))
  },
})
