import { describe, expect, test } from 'vitest'
import { type Callers, makeCallers } from '#testkit/areas/auth/callers.ts'
import { withProjects } from '#testkit/with-api.ts'
import { codeOf, Forum, type Visitor } from '../forum.fixture.ts'

// Who may read and write what, tried by everybody who can call. The order of the columns is that of CALLERS: key, author,
// other, moderator, outsider (no plan), pending, inactive; public key with and without capabilities; nobody.

let forum: Forum
let callers: Callers
let gated: string
let key: Pick<Visitor, 'client'>

withProjects(async (api, one) => {
  forum = new Forum(one.live)
  key = { client: one.live.admin }
  callers = await makeCallers(api, one.live)
  await forum.category({ name: 'General' })
  gated = (await forum.category({ name: 'Gold', required_plans: [callers.planId] })).slug
})

const start = (category: string) =>
  forum.start(key, { category, author_id: callers.author }).then(({ id }) => id)
const write = (id: string) =>
  forum.comment(key, id, { author_id: callers.author }).then((comment) => comment.id)

describe('of an open category', () => {
  test('everybody reads who may read at all', async () => {
    const id = await start('general')
    for (const path of [
      '/discussions',
      '/discussion-categories',
      `/discussions/${id}`,
      `/discussions/${id}/comments`,
    ])
      expect([path, await callers.statusesOf('GET', path)]).toEqual([
        path,
        [200, 200, 200, 200, 200, 200, 401, 200, 403, 401],
      ])
  })

  test('every active member writes', async () => {
    const id = await start('general')
    const tried = callers.statusesOf('PUT', `/discussions/${id}/like`)
    expect(await tried).toEqual([200, 200, 200, 200, 200, 403, 401, 403, 403, 401])
    // A key names who writes in the body, and is refused here because it does not.
    const body = { title: 'A title', content: 'Words', category: 'general' }
    expect(await callers.statusesOf('POST', '/discussions', body)).toEqual([
      ...[422, 201, 201, 201, 201, 403, 401, 403, 403, 401],
    ])
  })
})

describe('of a gated category', () => {
  test('nobody without the plan reads anything', async () => {
    const id = await start(gated)
    for (const path of [`/discussions/${id}`, `/discussions/${id}/comments`])
      expect([path, await callers.statusesOf('GET', path)]).toEqual([
        path,
        [200, 200, 200, 200, 404, 200, 401, 404, 403, 401],
      ])
  })

  test('nobody without the plan likes, subscribes, comments or reports', async () => {
    const id = await start(gated)
    const comment = await write(id)
    for (const path of [
      `/discussions/${id}/like`,
      `/discussions/${id}/subscription`,
      `/comments/${comment}/like`,
    ])
      expect([path, await callers.statusesOf('PUT', path)]).toEqual([
        path,
        [200, 200, 200, 200, 404, 403, 401, 403, 403, 401],
      ])
    expect(await callers.statusesOf('POST', `/discussions/${id}/comments`, { content: 'x' })).toEqual([
      ...[422, 201, 201, 201, 404, 403, 401, 403, 403, 401],
    ])
    expect(await callers.statusesOf('POST', '/reports', { target_id: comment, reason: 'spam' })).toEqual([
      ...[201, 201, 201, 201, 422, 403, 401, 403, 403, 401],
    ])
  })

  test('authors and staff change and remove a post, and nobody else', async () => {
    const fresh = () => start(gated)
    const changes = [200, 200, 403, 200, 404, 403, 401, 403, 403, 401]
    expect(await callers.statusesOf('PATCH', `/discussions/${await fresh()}`, { title: 'x' })).toEqual(
      changes,
    )
    expect(
      await callers.statusesOf('POST', `/discussions/${await fresh()}/answer`, { comment_id: null }),
    ).toEqual(changes)
    expect(await callers.statusesOf('DELETE', async () => `/discussions/${await fresh()}`)).toEqual(changes)
    const id = await fresh()
    expect(await callers.statusesOf('DELETE', async () => `/comments/${await write(id)}`)).toEqual(changes)
    expect(await callers.statusesOf('PATCH', `/comments/${await write(id)}`, { content: 'x' })).toEqual(
      changes,
    )
  })

  test('staff alone pin, lock, read earlier versions, and moderate', async () => {
    const id = await start(gated)
    const staff = [200, 403, 403, 200, 404, 403, 401, 403, 403, 401]
    expect(await callers.statusesOf('POST', `/discussions/${id}/pin`, { pinned: true })).toEqual(staff)
    expect(await callers.statusesOf('POST', `/discussions/${id}/lock`, { locked: false })).toEqual(staff)
    expect(await callers.statusesOf('GET', `/discussions/${id}/revisions`)).toEqual(staff)
    expect(await callers.statusesOf('GET', '/moderation/queue')).toEqual([
      ...[200, 403, 403, 200, 403, 403, 401, 403, 403, 401],
    ])
    expect(await callers.statusesOf('POST', '/discussion-categories', { name: 'New' })).toEqual([
      ...[201, 403, 403, 403, 403, 403, 401, 403, 403, 401],
    ])
  })

  test('what was removed is there for staff alone', async () => {
    const id = await start(gated)
    await key.client.delete(`/discussions/${id}`)
    expect(await callers.statusesOf('GET', `/discussions/${id}`)).toEqual([
      ...[200, 404, 404, 200, 404, 404, 401, 404, 403, 401],
    ])
  })
})

test('a key that names nobody, somebody unknown or somebody inactive is notified so', async () => {
  const id = await start('general')
  const like = (headers?: Record<string, string>) =>
    codeOf(key.client.put(`/discussions/${id}/like`, undefined, headers && { headers }))
  const { id: gone } = await forum.side.makeMember({ status: 'inactive' })
  expect([
    await like(),
    await like({ 'x-user-id': 'mem_01jcq3k8f7e8qtk4m3hbw7rn2d' }),
    await like({ 'x-user-id': gone }),
  ]).toEqual(['400 INVALID_PARAMETERS', '422 MEMBER_NOT_FOUND', '422 MEMBER_INACTIVE'])
})
