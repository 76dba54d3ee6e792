import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { enqueueDueWork } from '#platform/jobs/schedules/work-off-due.ts'
import { mailNotifications } from '../mails/mail-notifications.due.ts'
import { CAUSES, type Cause, type Notice } from './causes.ts'
import { addLike, addNotifications, findEvent, isMailDue } from './queries.ts'

/** Members who are notified in one transaction. */
const AT_ONCE = 500

/**
 * Makes the notifications that an event causes. It may be repeated: a cause notifies a member once. Members who may not
 * read the post of the event are not notified, also not later.
 */
export const notify = defineJob({
  name: 'notifications.notify',
  lane: 'default',
  payload: Type.Object({ event_id: Type.String({ format: 'uuid' }) }),
  attempts: 8,
  run: async (run, { event_id }) => {
    const { event } = await run.read({ event: findEvent({ id: event_id }) })
    const cause = event && CAUSES[event.type]
    if (event === undefined || cause === undefined) return run.record(async () => undefined)
    let after: string | undefined
    do {
      after = await run.write((ctx) => notifySome(ctx, cause, { ...event, after: after ?? null }))
    } while (after !== undefined && !run.signal.aborted)
    // The next run notifies the rest.
    if (after === undefined) await run.record(async () => undefined)
  },
})

/** What an event says, and after which member it goes on. */
interface Step {
  readonly id: string
  readonly payload: unknown
  readonly after: string | null
}

/** @returns the last member of those who were notified, if there may be more */
async function notifySome(
  ctx: Context,
  cause: Cause,
  { id, payload, after }: Step,
): Promise<string | undefined> {
  const notices = await cause(ctx, payload, { after, limit: AT_ONCE })
  const likes = notices.filter(({ kind }) => kind === 'like')
  for (const like of likes) await addLike(ctx, { ...asRow(like), cause: id })
  const others = notices.filter(({ kind }) => kind !== 'like').map(asRow)
  if (others.length > 0) await addNotifications(ctx, { rows: JSON.stringify(others), cause: id })
  if (notices.length > 0 && (await isMailDue(ctx))) enqueueDueWork(ctx, mailNotifications)
  return notices.length < AT_ONCE ? undefined : notices.at(-1)?.member_id
}

const asRow = (notice: Notice) => ({
  ...{ id: newUuid(), actor_id: null, detail: null, note: null, has_mail: false },
  ...notice,
})
