import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { driftsOf } from '#areas/discussions/drifts.fixture.ts'
import { codeOf, Forum, taken, type Visitor } from '#areas/discussions/forum.fixture.ts'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { SOON } from '#testkit/soon.ts'
import type { FeedbackItem } from './schema.ts'

let environment: DeliveryEnvironment
let side: Side
let forum: Forum
let author: Visitor
let other: Visitor

beforeAll(async () => {
  environment = await startDeliveryEnvironment()
  environment.startWorker()
  side = environment.one
  forum = new Forum(side)
  author = await forum.join()
  other = await forum.join()
})
afterAll(() => environment.close())
beforeEach(async () => {
  for (const { id } of taken(await side.admin.get<{ data: { id: string }[] }>('/moderation/rules')).data)
    await side.admin.delete(`/moderation/rules/${id}`)
})

const rule = async (input: object) => taken(await side.admin.post<object>('/moderation/rules', input))
interface Made {
  readonly id: string
  readonly moderation_status?: string
}
const send = async (message: string, client: Client = author.client, more: object = {}): Promise<Made> =>
  taken(await client.post<{ feedback: Made }>('/feedback', { type: 'feature', message, ...more })).feedback
const say = async (item: string, content: string, client: Client = author.client): Promise<Made> =>
  taken(await client.post<{ data: Made }>(`/feedback/${item}/comments`, { content })).data
const seen = async (id: string, client: Client = side.admin) =>
  (await client.get<{ data: FeedbackItem }>(`/feedback/${id}`)).body.data
const isSeen = async (id: string, client: Client) => (await client.get(`/feedback/${id}`)).status === 200
const commentsOf = async (item: string, client: Client) =>
  taken(await client.get<{ data: { id: string }[] }>(`/feedback/${item}/comments`)).data.map(({ id }) => id)
const decide = (id: string, action: 'approve' | 'remove', reason = 'So') =>
  side.admin.post<object>(`/moderation/${id}/${action}`, { reason })
const decideAbout = async (target: string, action: 'approve' | 'remove') =>
  taken(await decide((await forum.caseOf(target)).id, action))
const eventsOf = async (id: string) =>
  (
    await environment.sql<{ type: string }>(
      "select type from events where payload ->> 'id' = $1 or payload ->> 'target_id' = $1 order by id",
      [id],
    )
  ).map(({ type }) => type)
const textsOf = async ({ client }: Visitor, id: string) =>
  taken(await client.get<{ data: { text: string; target: { id: string } }[] }>('/notifications?limit=100'))
    .data.filter(({ target }) => target.id === id)
    .map(({ text }) => text)
const WORDS = { kind: 'words', words: ['casino'] }

describe('feedback that a rule holds', () => {
  test('is stored, and shown to its author and the team alone, until it is approved; votes and notifications begin then', async () => {
    await rule(WORDS)
    const mentioned = await forum.join()
    const held = await send(`A casino with [@x](${mentioned.id})`, author.client, { title: 'A wheel' })
    expect(held).toMatchObject({ moderation_status: 'pending' })
    expect(await seen(held.id, author.client)).toMatchObject({
      moderation_status: 'pending',
      ...{ visibility: 'public', vote_count: 0 },
    })
    expect(await isSeen(held.id, other.client)).toBe(false)
    expect(await codeOf(author.client.put(`/feedback/${held.id}/vote`))).toBe('404 NOT_FOUND')
    for (const path of ['/feedback?limit=100', '/search?q=wheel', '/feedback/similar?title=A%20wheel'])
      expect(JSON.stringify((await other.client.get(path)).body)).not.toContain(held.id)
    expect(await eventsOf(held.id)).toEqual(['post.held'])
    expect(await forum.caseOf(held.id)).toMatchObject({
      ...{ target_id: held.id, feedback_id: held.id, discussion_id: null, kind: 'held', held_by: ['words'] },
      ...{ title: 'A wheel', status: 'pending', author_id: author.id },
    })
    await decideAbout(held.id, 'approve')
    expect(await seen(held.id, other.client)).toMatchObject({ visibility: 'public', vote_count: 1 })
    expect(await seen(held.id, other.client)).not.toHaveProperty('moderation_status')
    expect(JSON.stringify((await other.client.get('/search?q=wheel')).body)).toContain(held.id)
    expect(await eventsOf(held.id)).toEqual([
      'post.held',
      'post.shown',
      'feedback.created',
      'report.resolved',
    ])
    await expect.poll(() => textsOf(mentioned, held.id), SOON).toHaveLength(1)
    await expect
      .poll(async () => (await textsOf(author, held.id)).toSorted(), SOON)
      .toEqual(
        ['Your feedback “A wheel” waits for a moderator', 'Your feedback “A wheel” was approved'].toSorted(),
      )
  })

  test('is a comment, too: its author finds it in the list, and nobody is notified before', async () => {
    await rule(WORDS)
    const item = await send('A wish', other.client)
    const held = await say(item.id, 'See my **casino**')
    expect(held).toMatchObject({ moderation_status: 'pending', visibility: 'public' })
    expect(await commentsOf(item.id, author.client)).toEqual([held.id])
    expect(await commentsOf(item.id, side.admin)).toEqual([held.id])
    expect(await commentsOf(item.id, other.client)).toEqual([])
    await decideAbout(held.id, 'approve')
    expect(await commentsOf(item.id, other.client)).toEqual([held.id])
    await expect.poll(() => textsOf(other, item.id), SOON).toHaveLength(1)
    const removed = await say(item.id, 'A casino again')
    await decideAbout(removed.id, 'remove')
    for (const client of [author.client, other.client, side.admin])
      expect(await commentsOf(item.id, client)).toEqual([held.id])
  })

  test('has too many links, is nearly what was sent before, comes too often, or from a member who is too new', async () => {
    const found: Record<string, string | undefined> = {}
    await rule({ kind: 'links', max_links: 1 })
    found['links'] = (await send('https://a.example and www.b.example')).moderation_status
    found['one link'] = (await send('https://a.example is enough')).moderation_status
    await rule({ kind: 'duplicates', per_minutes: 60 })
    const long = 'I would like to see all of my plans on one page in the evening'
    await send(long, other.client)
    found['near'] = (await send(`${long}!`)).moderation_status
    const item = await send('Something else that nobody has sent before today', other.client)
    found['near comment'] = (await say(item.id, `${long}?`)).moderation_status
    await rule({ kind: 'rate', max_posts: 2, per_minutes: 60 })
    const quick = await forum.join()
    const posts = [
      (await send('The first of mine', quick.client)).moderation_status,
      (await say(item.id, 'The second of mine', quick.client)).moderation_status,
      (await send('The third of mine', quick.client)).moderation_status,
    ]
    expect(posts).toEqual([undefined, undefined, 'pending'])
    await rule({ kind: 'age', fewer_posts_than: 1 })
    found['new'] = (await send('Hello from me', (await forum.join()).client)).moderation_status
    expect(found).toEqual({
      ...{
        links: 'pending',
        'one link': undefined,
        near: 'pending',
        'near comment': 'pending',
        new: 'pending',
      },
    })
  })

  test('comes from visitors as well, whose equal texts are compared with each other', async () => {
    await rule({ kind: 'duplicates', per_minutes: 60 })
    const visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['submit', 'catalog'] })).key)
    expect((await send('Buy my thing', visitor)).moderation_status).toBeUndefined()
    const again = await send('buy my thing!', visitor)
    expect(again.moderation_status).toBe('pending')
    expect(await isSeen(again.id, visitor)).toBe(false)
    expect(await forum.caseOf(again.id)).toMatchObject({ author_id: null })
    await decideAbout(again.id, 'remove')
    expect(await seen(again.id)).toMatchObject({ moderation_status: 'removed' })
  })

  test('is not what the team writes or alone reads; a rule that refuses stores nothing', async () => {
    await rule(WORDS)
    const moderator = await forum.join({ role: 'moderator' })
    expect((await send('A casino', moderator.client)).moderation_status).toBeUndefined()
    expect((await send('A casino', side.admin)).moderation_status).toBeUndefined()
    const bug = await send('The casino page is empty', author.client, { type: 'bug' })
    expect(bug.moderation_status).toBeUndefined()
    await rule({ kind: 'words', words: ['roulette'], action: 'refuse' })
    const refused = author.client.post('/feedback', { type: 'feature', message: 'Roulette' })
    expect(await codeOf(refused)).toBe('422 POST_REFUSED')
    expect(await codeOf(author.client.post(`/feedback/${bug.id}/comments`, { content: 'Roulette' }))).toBe(
      '422 POST_REFUSED',
    )
  })

  test('is hidden after an edit, until it is approved, and is no news then', async () => {
    const item = await send('A wish')
    await rule(WORDS)
    taken(await author.client.patch<object>(`/feedback/${item.id}`, { message: 'A casino' }))
    expect(await isSeen(item.id, other.client)).toBe(false)
    taken(await side.admin.patch<object>(`/feedback/${item.id}`, { visibility: 'private' }))
    taken(await side.admin.patch<object>(`/feedback/${item.id}`, { visibility: 'public' }))
    expect(await isSeen(item.id, other.client)).toBe(false)
    await decideAbout(item.id, 'approve')
    expect(await seen(item.id, other.client)).toMatchObject({ message: 'A casino', vote_count: 1 })
    expect((await eventsOf(item.id)).filter((type) => type === 'feedback.created')).toHaveLength(1)
  })
})

describe('feedback that members report', () => {
  test('is hidden, and shown again or removed by a decision; its author may appeal a removal', async () => {
    const item = await send('Bad words')
    const comment = await say(item.id, 'Worse words')
    await forum.reportOften(item.id)
    expect([await isSeen(item.id, author.client), await isSeen(item.id, other.client)]).toEqual([true, false])
    await decideAbout(item.id, 'approve')
    expect(await isSeen(item.id, other.client)).toBe(true)
    await forum.reportOften(comment.id)
    expect(await commentsOf(item.id, other.client)).toEqual([])
    const { id } = await forum.caseOf(comment.id)
    const bulk = { operations: [{ id, action: 'remove', reason: 'Insults' }] }
    expect(taken(await side.admin.post<object>('/moderation/bulk', bulk))).toMatchObject({
      data: { succeeded: 1 },
    })
    await forum.reportOften(item.id)
    await decideAbout(item.id, 'remove')
    expect(await isSeen(item.id, author.client)).toBe(false)
    expect(await seen(item.id)).toMatchObject({ moderation_status: 'removed' })
    for (const { client } of [author, { client: side.admin }]) {
      const list = taken(
        await client.get<{ data: Made[]; pagination: { total: number } }>('/feedback?limit=100'),
      )
      expect(list.data.map((each) => each.id)).not.toContain(item.id)
      expect(list.pagination.total).toBe(list.data.length)
    }
    await expect
      .poll(() => textsOf(author, item.id), SOON)
      .toContainEqual('Your feedback “Bad words” was removed: So')
    const appealed = { text: 'They are not bad' }
    expect(await codeOf(other.client.post(`/moderation/${item.id}/appeal`, appealed))).toBe('404 NOT_FOUND')
    taken(await author.client.post<object>(`/moderation/${item.id}/appeal`, appealed))
    const queue = await side.admin.get<{ data: { id: string }[] }>('/moderation/queue?status=appealed')
    taken(await decide(taken(queue).data[0]?.id ?? '', 'approve'))
    expect(await isSeen(item.id, other.client)).toBe(true)
    expect(await driftsOf(environment.api.owner, side.projectId)).toEqual([])
  })

  test('counts once for each member, not for what they cannot see, and its cases end with it', async () => {
    const item = await send('A wish')
    const report = (client: Client, target_id = item.id) =>
      client.post<{ data: { is_new: boolean } }>('/reports', { target_id, reason: 'spam' })
    expect(taken(await report(other.client)).data.is_new).toBe(true)
    expect(taken(await report(other.client)).data.is_new).toBe(false)
    const bug = await send('A secret', author.client, { type: 'bug' })
    expect(await codeOf(report(other.client, bug.id))).toBe('422 VALIDATION_ERROR')
    taken(await side.admin.delete<object>(`/feedback/${item.id}`))
    expect(await codeOf(report(other.client))).toBe('422 VALIDATION_ERROR')
    expect((await forum.queue()).map(({ target_id }) => target_id)).not.toContain(item.id)
    expect(await eventsOf(item.id)).toContain('report.resolved')
  })

  test('by three at once is hidden once, and is decided once by two moderators', async () => {
    const item = await send('A wish')
    const members = await Promise.all([1, 2, 3, 4].map(() => forum.join()))
    await Promise.all(
      members.map(({ client }) => client.post('/reports', { target_id: item.id, reason: 'spam' })),
    )
    expect(await seen(item.id)).toMatchObject({ moderation_status: 'pending' })
    const { id } = await forum.caseOf(item.id)
    const answers = await Promise.all([decide(id, 'approve'), decide(id, 'remove')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const events = await eventsOf(item.id)
    expect(events.filter((type) => type === 'post.hidden')).toHaveLength(1)
    expect(events.filter((type) => type === 'report.resolved')).toHaveLength(1)
  })
})

test('a moderation hook is asked about feedback, and decides', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const service = await environment.mailbox()
  const asked: object[] = []
  service.answer = ({ id, body }, response) => {
    const { data } = JSON.parse(body) as { data: { post_id: string; content: string } }
    asked.push(data)
    const decision = data.content.includes('bad') ? 'remove' : 'approve'
    const answer = JSON.stringify({ post_id: data.post_id, decision })
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${id}.${timestamp}.${answer}`)
      .digest('base64')
    response.writeHead(200, {
      ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
    })
    response.end(answer)
  }
  await rule({ kind: 'hook', url: service.url, secret })
  const good = await send('A good wish')
  expect(good.moderation_status).toBe('pending')
  await expect.poll(() => isSeen(good.id, other.client), SOON).toBe(true)
  const bad = await say(good.id, 'A bad comment')
  expect(bad.moderation_status).toBe('pending')
  await expect.poll(() => commentsOf(good.id, author.client), SOON).toEqual([])
  expect(asked).toMatchObject([
    { post_id: good.id, discussion_id: null, feedback_id: good.id, author_id: author.id, is_edit: false },
    { post_id: bad.id, feedback_id: good.id },
  ])
})
