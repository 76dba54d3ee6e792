import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { listenTo } from '#testkit/listen.ts'
import { SOON } from '#testkit/soon.ts'

let environment: DeliveryEnvironment
let one: Side
let other: Side
let url: string

beforeAll(async () => {
  environment = await startDeliveryEnvironment()
  ;({ one, other } = environment)
  url = environment.api.url
  environment.startWorker()
})
afterAll(() => environment.close())

const ticketOf = async (side: Side, key: string, topics: readonly string[], headers = {}) =>
  (await side.as(key).post<{ data: { ticket: string } }>('/stream/tickets', { topics }, { headers })).body
    .data.ticket

async function startThread(side: Side, category = 'general') {
  const author = await side.makeMember()
  const { body } = await side.admin.post<{ discussion: { id: string } }>('/discussions', {
    ...{ title: 'How do you plan?', content: 'I write.', author_id: author.id, category },
  })
  return { id: body.discussion.id, author: author.id }
}

const comment = async (side: Side, thread: string, content: string) => {
  const author_id = await side.member()
  const { status, body } = await side.admin.post<{ comment: { id: string } }>(
    `/discussions/${thread}/comments`,
    { content, author_id },
  )
  expect(status).toBe(201)
  return body.comment.id
}

describe('a stream', () => {
  test('tells a member what is written in a discussion, with who wrote it, and another project nothing', async () => {
    const thread = await startThread(one)
    const { token } = await one.signIn()
    const strange = await other.signIn()
    const theirs = await startThread(other)
    const listening = await listenTo(url, { topics: [`discussion:${thread.id}`], key: token })
    const elsewhere = await listenTo(url, { topics: [`discussion:${theirs.id}`], key: strange.token })
    expect(listening.status).toBe(200)
    const id = await comment(one, thread.id, 'On Mondays.')
    await expect.poll(() => listening.events.map(({ event }) => event), SOON).toContain('comment.created')
    const told = listening.events.find(({ event }) => event === 'comment.created')
    expect(told?.data).toMatchObject({
      type: 'comment.created',
      data: { id, discussion_id: thread.id, content: 'On Mondays.', author: { id: await one.member() } },
    })
    expect(elsewhere.events).toEqual([])
  })
})
