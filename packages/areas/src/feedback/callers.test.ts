import { type Attempt, type Callers, makeCallers, testCallers } from '#testkit/areas/auth/callers.ts'
import { withProjects } from '#testkit/with-api.ts'
import { Board } from './votes/board.fixture.ts'

// Who may do what on the board. A key that comments names the member in the body, and is refused here because it does not.
const TABLE = `
                                           key author other moderator outsider pending inactive public closed nobody
  list items                               200    200   200       200      200     200      401    200    403    401
  list the items of a member               200    403   403       200      403     403      401    403    403    401
  read a public item                       200    200   200       200      200     200      401    200    403    401
  list comments of a public item           200    200   200       200      200     200      401    200    403    401
  read the roadmap                         200    200   200       200      200     200      401    200    403    401
  read the changelog                       200    200   200       200      200     200      401    200    403    401
  read a private item                      200    200   404       200      404     404      401    404    403    401
  list comments of a private item          200    200   404       200      404     404      401    404    403    401
  list what is similar to a private item   200    200   404       200      404     404      401    404    403    401
  vote for a private item                  200    200   404       200      404     403      401    403    403    401
  vote for a public item                   200    200   200       200      200     403      401    403    403    401
  comment on a public item                 422    201   201       201      201     403      401    403    403    401
  send an item in                          201    201   201       201      201     403      401    201    403    401
  change an item                           200    200   403       200      403     403      401    403    403    401
  set the status of an item                200    403   403       200      403     403      401    403    403    401
  merge an item                            200    403   403       200      403     403      401    403    403    401
  list voters of an item                   200    403   403       200      403     403      401    403    403    401
  list status changes of an item           200    403   403       200      403     403      401    403    403    401
  delete an item                           200    403   403       200      403     403      401    403    403    401`

let callers: Callers
let board: Board

withProjects(async (api, one) => {
  callers = await makeCallers(api, one.live)
  board = new Board(one.live)
})

const make = (visibility: 'public' | 'private') => board.make({ user_id: callers.author, visibility })
/** A request to an item that the author sent in. */
const to =
  (method: Attempt['method'], rest = '', visibility: 'public' | 'private' = 'public', body?: object) =>
  async (): Promise<Attempt> => ({
    method,
    path: `/feedback/${await make(visibility)}${rest}`,
    ...(body && { body }),
  })

testCallers(
  TABLE,
  {
    'list items': () => ({ method: 'GET', path: '/feedback' }),
    'list the items of a member': () => ({ method: 'GET', path: `/feedback?user_id=${callers.author}` }),
    'read a public item': to('GET'),
    'list comments of a public item': to('GET', '/comments'),
    'read the roadmap': () => ({ method: 'GET', path: '/roadmap' }),
    'read the changelog': () => ({ method: 'GET', path: '/changelog' }),
    'read a private item': to('GET', '', 'private'),
    'list comments of a private item': to('GET', '/comments', 'private'),
    'list what is similar to a private item': to('GET', '/similar', 'private'),
    'vote for a private item': to('PUT', '/vote', 'private'),
    'vote for a public item': to('PUT', '/vote'),
    'comment on a public item': to('POST', '/comments', 'public', { content: 'x' }),
    'send an item in': () => ({ method: 'POST', path: '/feedback', body: { type: 'feature', message: 'x' } }),
    'change an item': to('PATCH', '', 'public', { message: 'x' }),
    'set the status of an item': to('POST', '/status', 'public', { status: 'planned' }),
    'merge an item': async () => to('POST', '/merge', 'public', { into: await make('public') })(),
    'list voters of an item': to('GET', '/voters'),
    'list status changes of an item': to('GET', '/status-changes'),
    'delete an item': () => ({ method: 'DELETE', path: async () => `/feedback/${await make('public')}` }),
  },
  () => callers,
)
