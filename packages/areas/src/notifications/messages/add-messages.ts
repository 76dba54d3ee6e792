import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import { enqueueDueWork } from '#platform/jobs/schedules/work-off-due.ts'
import { mailNotifications } from '../mails/mail-notifications.due.ts'
import { addNotifications } from '../making/queries.ts'

/** Makes the notifications of a message; a member who has it already gets none. */
export async function addMessages(ctx: Context, message: string, members: readonly string[]): Promise<void> {
  const rows = members.map((member_id) => ({
    ...{ id: newUuid(), member_id, kind: 'message', target_type: 'message', target_id: message },
    ...{ actor_id: null, detail: null, note: null },
  }))
  await addNotifications(ctx, { rows: JSON.stringify(rows), cause: message })
  enqueueDueWork(ctx, mailNotifications)
}
