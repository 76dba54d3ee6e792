import type { Context } from '#platform/db/tenant.ts'
import { invalidBody, invalidField } from '#platform/errors.ts'
import { newUuid, parseId } from '#platform/ids.ts'
import { enqueue } from '#platform/jobs/enqueue.ts'
import type { Message, NewMessage } from '../schema.ts'
import { addMessages, notifyPlan } from './notify-plan.job.ts'
import { insertMessage, listMembers } from './queries.ts'

/**
 * Notifies members of what a project has to say.
 * @throws ApiError 422 for members and plans that the project does not have
 */
export async function sendMessage(ctx: Context, input: NewMessage): Promise<Message> {
  const plan_id = input.plan_id === undefined ? null : parseId('plan', input.plan_id)
  if (plan_id === undefined) throw invalidField('plan_id', 'exists', 'is not a plan of this project')
  const id = newUuid()
  const message = await insertMessage(ctx, { id, text: input.text, url: input.url ?? null, plan_id })
  if (input.member_ids === undefined) enqueue(ctx, notifyPlan, { message_id: id })
  else await notifyMembers(ctx, id, input.member_ids)
  return message
}

async function notifyMembers(ctx: Context, message: string, ids: readonly string[]): Promise<void> {
  const wanted = ids.map((id) => parseId('member', id) ?? null)
  const found = new Set(await listMembers(ctx, { ids: wanted.filter((id) => id !== null) }))
  const faults = wanted.flatMap((id, i) =>
    id !== null && found.has(id)
      ? []
      : [{ field: `member_ids[${i}]`, rule: 'exists', message: 'is not a member of this project' }],
  )
  if (faults.length > 0) throw invalidBody(faults)
  await addMessages(ctx, message, [...found])
}
