import type { Side } from '#testkit/factories.ts'

/** What the bodies of notifications name. */
export const samples = {
  ntf: sendNotification,
}

async function sendNotification(side: Side): Promise<{ id: string }> {
  const { id } = await side.makeMember()
  await side.admin.post('/notifications', { member_ids: [id], text: 'The office moves on Friday' })
  const headers = { 'x-user-id': id }
  const { body } = await side.admin.get<{ data: [{ id: string }] }>('/notifications', { headers })
  return body.data[0]
}
