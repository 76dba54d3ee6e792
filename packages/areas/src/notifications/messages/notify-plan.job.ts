import { Type } from 'typebox'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { enqueueDueWork } from '#platform/jobs/schedules/work-off-due.ts'
import { mailNotifications } from '../mails/mail-notifications.due.ts'
import { addNotifications } from '../making/queries.ts'
import { listPlanMembers } from './queries.ts'

/** Members who are notified in one transaction. */
const AT_ONCE = 500

/** Notifies everybody who has the plan of a message. A repeated run notifies those who were not notified yet. */
export const notifyPlan = defineJob({
  name: 'notifications.notify-plan',
  lane: 'default',
  payload: Type.Object({ message_id: Type.String({ format: 'uuid' }) }),
  attempts: 8,
  run: async (run, { message_id }) => {
    let after: string | null | undefined = null
    while (after !== undefined && !run.signal.aborted) {
      const from: string | null = after
      after = await run.write(async (ctx): Promise<string | undefined> => {
        const members = await listPlanMembers(ctx, { message: message_id, after: from, limit: AT_ONCE })
        if (members.length > 0) await addMessages(ctx, message_id, members)
        return members.length < AT_ONCE ? undefined : members.at(-1)
      })
    }
    if (after === undefined) await run.record(async () => undefined)
  },
})

/** Makes the notifications of a message; a member who has it already gets none. */
export async function addMessages(ctx: Context, message: string, members: readonly string[]): Promise<void> {
  const rows = members.map((member_id) => ({
    ...{ id: newUuid(), member_id, kind: 'message', target_type: 'message', target_id: message },
    ...{ actor_id: null, detail: null, note: null },
  }))
  await addNotifications(ctx, { rows: JSON.stringify(rows), cause: message })
  enqueueDueWork(ctx, mailNotifications)
}
