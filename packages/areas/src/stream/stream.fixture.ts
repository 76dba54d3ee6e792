import { expect } from 'vitest'
import { webhookTest } from '#areas/webhooks/events.ts'
import { emit } from '#platform/events/emit.ts'
import type { Side } from '#testkit/factories.ts'
import type { ListeningClient } from '#testkit/listen.ts'

// What tests of streams do.

export const askTicket = (side: Side, key: string, topics: readonly string[], headers = {}) =>
  side
    .as(key)
    .post<{ data: { ticket: string }; code: string; details: { field: string }[] }>(
      '/stream/tickets',
      { topics },
      { headers },
    )
export const ticketOf = async (...asked: Parameters<typeof askTicket>) =>
  (await askTicket(...asked)).body.data.ticket

export async function startThread(side: Side, { category = 'general', content = 'I write.' } = {}) {
  const { id: author_id } = await side.makeMember()
  const { body } = await side.admin.post<{ discussion: { id: string } }>('/discussions', {
    ...{ title: 'How do you plan?', content, author_id, category },
  })
  return body.discussion.id
}

export async function comment(side: Side, thread: string, content: string, author_id?: string) {
  const { status, body } = await side.admin.post<{ comment: { id: string } }>(
    `/discussions/${thread}/comments`,
    { content, author_id: author_id ?? (await side.member()) },
  )
  expect(status).toBe(201)
  return body.comment.id
}

export const typesOf = ({ events }: ListeningClient) => events.map(({ event }) => event)
export const contentsOf = ({ events }: ListeningClient) =>
  events.flatMap(({ event, data }) => (event === 'comment.created' ? [data.data['content']] : []))
/** Emits an event without anything around it. */
export const say = (side: Side, id: string) =>
  side.write((ctx) => emit(ctx, webhookTest, { id, message: '' }))
export const endpointsIn = ({ events }: ListeningClient) =>
  events.flatMap(({ event, data }) => (event === 'webhook.test' ? [String(data.data['id'])] : []))
