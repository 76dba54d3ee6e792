import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { Forum, taken, type Visitor } from '../forum.fixture.ts'

// What If-Match and ETags tell, and whom.

let api: TestApi
let side: Side
let forum: Forum
let author: Visitor
let outsider: Visitor

withProjects(async (opened, one) => {
  api = opened
  side = one.live
  forum = new Forum(side)
  author = await forum.join()
  outsider = await forum.join()
  await forum.category({ name: 'General' })
})

const STALE = { headers: { 'if-match': '"of another state"' } }
/** What an outsider is answered who guesses that something is there. */
const tried = async (path: string) => {
  const answers = [
    await outsider.client.patch(path, { content: 'Mine' }, STALE),
    await outsider.client.delete(path, STALE),
  ]
  return answers.map(({ status, headers, body }) => [status, headers.etag, (body as { code: string }).code])
}
const NOTHING = [
  [404, undefined, 'NOT_FOUND'],
  [404, undefined, 'NOT_FOUND'],
]

describe('If-Match of somebody who may not read a post is not looked at:', () => {
  test('a discussion that is hidden, removed or gated is missing', async () => {
    const hidden = await forum.start(author)
    await forum.reportOften(hidden.id)
    const removed = await forum.start(author)
    await author.client.delete(`/discussions/${removed.id}`)
    const plan = taken(
      await side.admin.post<{ data: { id: string } }>('/plans', { name: 'Gold', price: 1 }),
    ).data
    const { slug } = await forum.category({ name: 'Gated', required_plans: [plan.id] })
    const gated = await forum.start({ client: side.admin }, { category: slug, author_id: author.id })
    for (const { id } of [hidden, removed, gated])
      expect([id, await tried(`/discussions/${id}`)]).toEqual([id, NOTHING])
  })

  test('a comment that is hidden or removed, or in a hidden discussion, is missing', async () => {
    const open = await forum.start(author)
    const hidden = await forum.comment(author, open.id)
    await forum.reportOften(hidden.id)
    const removed = await forum.comment(author, open.id)
    await author.client.delete(`/comments/${removed.id}`)
    const other = await forum.start(author)
    const within = await forum.comment(author, other.id)
    await forum.reportOften(other.id)
    for (const { id } of [hidden, removed, within])
      expect([id, await tried(`/comments/${id}`)]).toEqual([id, NOTHING])
  })

  test('its author, who may read it, is notified that it has changed', async () => {
    const { id } = await forum.start(author)
    const comment = await forum.comment(author, id)
    await forum.reportOften(comment.id)
    const answer = await author.client.patch(`/comments/${comment.id}`, { content: 'New' }, STALE)
    expect([answer.status, answer.headers.etag]).toEqual([412, expect.any(String)])
    const ifMatch = { headers: { 'if-match': answer.headers.etag ?? '' } }
    const changed = await author.client.patch(`/comments/${comment.id}`, { content: 'New' }, ifMatch)
    expect(changed.status).toBe(200)
  })
})

test('an ETag is no hash of what it covers that others can compute, and is the same of all API processes', async () => {
  const { id } = await forum.start(author, { title: 'A title', content: 'Words' })
  const { etag = '' } = (await side.admin.get(`/discussions/${id}`)).headers
  const covered = JSON.stringify(['A title', 'Words', 'general', []])
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect(etag).not.toBe(`"${hash('sha256', covered, 'base64url').slice(0, 22)}"`)
  const another = await startApi({ database: api.database })
  try {
    const answer = await another.send('GET', `/api/v1/discussions/${id}`, { key: side.key })
    expect(answer.headers.etag).toBe(etag)
  } finally {
    await another.close()
  }
})
