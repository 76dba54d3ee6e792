import { expect, test } from 'vitest'
import { type Attempt, type Callers, makeCallers, testCallers } from '#testkit/areas/auth/callers.ts'
import { withProjects } from '#testkit/with-api.ts'
import { codeOf, Forum, type Visitor } from '../forum.fixture.ts'

// Who may read and write what in discussions. The outsider and the public key do not have the plan of a gated category. A key
// that starts a discussion or comments names the member in the body, and is refused here because it does not.
const TABLE = `
                                                key author other moderator outsider pending inactive public closed nobody
  list discussions                              200    200   200       200      200     200      401    200    403    401
  list categories                               200    200   200       200      200     200      401    200    403    401
  read an open discussion                       200    200   200       200      200     200      401    200    403    401
  list comments of an open discussion           200    200   200       200      200     200      401    200    403    401
  like an open discussion                       200    200   200       200      200     403      401    403    403    401
  start a discussion                            422    201   201       201      201     403      401    403    403    401
  read a gated discussion                       200    200   200       200      404     200      401    404    403    401
  list comments of a gated discussion           200    200   200       200      404     200      401    404    403    401
  like a gated discussion                       200    200   200       200      404     403      401    403    403    401
  subscribe to a gated discussion               200    200   200       200      404     403      401    403    403    401
  like a gated comment                          200    200   200       200      404     403      401    403    403    401
  comment on a gated discussion                 422    201   201       201      404     403      401    403    403    401
  report a gated comment                        201    201   201       201      422     403      401    403    403    401
  change a gated discussion                     200    200   403       200      404     403      401    403    403    401
  choose the answer of a gated discussion       200    200   403       200      404     403      401    403    403    401
  delete a gated discussion                     200    200   403       200      404     403      401    403    403    401
  delete a gated comment                        200    200   403       200      404     403      401    403    403    401
  change a gated comment                        200    200   403       200      404     403      401    403    403    401
  pin a gated discussion                        200    403   403       200      404     403      401    403    403    401
  lock a gated discussion                       200    403   403       200      404     403      401    403    403    401
  list earlier versions of a gated discussion   200    403   403       200      404     403      401    403    403    401
  read the moderation queue                     200    403   403       200      403     403      401    403    403    401
  create a category                             201    403   403       403      403     403      401    403    403    401
  read a gated discussion that was deleted      200    404   404       200      404     404      401    404    403    401`

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
const comment = async () => (await forum.comment(key, await start(gated), { author_id: callers.author })).id

/** A request to a discussion of the author, in the open category or in the gated one. */
const to =
  (where: 'open' | 'gated', method: Attempt['method'], rest = '', body?: object) =>
  async (): Promise<Attempt> => ({
    method,
    path: `/discussions/${await start(where === 'open' ? 'general' : gated)}${rest}`,
    ...(body && { body }),
  })

testCallers(
  TABLE,
  {
    'list discussions': () => ({ method: 'GET', path: '/discussions' }),
    'list categories': () => ({ method: 'GET', path: '/discussion-categories' }),
    'read an open discussion': to('open', 'GET'),
    'list comments of an open discussion': to('open', 'GET', '/comments'),
    'like an open discussion': to('open', 'PUT', '/like'),
    'start a discussion': () => ({
      method: 'POST',
      path: '/discussions',
      body: { title: 'A title', content: 'Words', category: 'general' },
    }),
    'read a gated discussion': to('gated', 'GET'),
    'list comments of a gated discussion': to('gated', 'GET', '/comments'),
    'like a gated discussion': to('gated', 'PUT', '/like'),
    'subscribe to a gated discussion': to('gated', 'PUT', '/subscription'),
    'like a gated comment': async () => ({ method: 'PUT', path: `/comments/${await comment()}/like` }),
    'comment on a gated discussion': to('gated', 'POST', '/comments', { content: 'x' }),
    'report a gated comment': async () => ({
      method: 'POST',
      path: '/reports',
      body: { target_id: await comment(), reason: 'spam' },
    }),
    'change a gated discussion': to('gated', 'PATCH', '', { title: 'x' }),
    'choose the answer of a gated discussion': to('gated', 'POST', '/answer', { comment_id: null }),
    'delete a gated discussion': () => ({
      method: 'DELETE',
      path: async () => `/discussions/${await start(gated)}`,
    }),
    'delete a gated comment': () => ({ method: 'DELETE', path: async () => `/comments/${await comment()}` }),
    'change a gated comment': async () => ({
      method: 'PATCH',
      path: `/comments/${await comment()}`,
      body: { content: 'x' },
    }),
    'pin a gated discussion': to('gated', 'POST', '/pin', { pinned: true }),
    'lock a gated discussion': to('gated', 'POST', '/lock', { locked: false }),
    'list earlier versions of a gated discussion': to('gated', 'GET', '/revisions'),
    'read the moderation queue': () => ({ method: 'GET', path: '/moderation/queue' }),
    'create a category': () => ({ method: 'POST', path: '/discussion-categories', body: { name: 'New' } }),
    'read a gated discussion that was deleted': async () => {
      const attempt = await to('gated', 'GET')()
      await key.client.delete(String(attempt.path))
      return attempt
    },
  },
  () => callers,
)

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
