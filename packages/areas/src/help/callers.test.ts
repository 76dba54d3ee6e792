import { type Attempt, type Callers, makeCallers, testCallers } from '#testkit/areas/auth/callers.ts'
import { withProjects } from '#testkit/with-api.ts'
import { HelpCenter } from './help-center.fixture.ts'

// Who may read and write what in the help center. The moderator has no plan here. A public key votes for a session, which
// it must name.
const TABLE = `
                                                   key author other moderator outsider pending inactive public closed nobody
  read a public article                            200    200   200       200      200     200      401    200    403    401
  list what is related to a public article         200    200   200       200      200     200      401    200    403    401
  read an article for members                      200    200   200       200      200     200      401    404    403    401
  list what is related to an article for members   200    200   200       200      200     200      401    404    403    401
  read an internal article                         200    404   404       404      404     404      401    404    403    401
  list what is related to an internal article      200    404   404       404      404     404      401    404    403    401
  read an article for a plan                       200    200   200       404      404     200      401    404    403    401
  list what is related to an article for a plan    200    200   200       404      404     200      401    404    403    401
  read a draft                                     200    404   404       404      404     404      401    404    403    401
  vote for an article for members                  200    200   200       200      200     403      401    422    403    401
  change an article                                200    403   403       403      403     403      401    403    403    401
  publish an article                               200    403   403       403      403     403      401    403    403    401
  archive an article                               200    403   403       403      403     403      401    403    403    401
  list versions of an article                      200    403   403       403      403     403      401    403    403    401
  read the insights                                200    403   403       403      403     403      401    403    403    401`

let callers: Callers
let help: HelpCenter

withProjects(async (api, one) => {
  callers = await makeCallers(api, one.live)
  help = new HelpCenter(one.live)
})

const KINDS = {
  public: () => ({}),
  members: () => ({ visibility: 'members' }),
  internal: () => ({ visibility: 'internal' }),
  plan: () => ({ required_plans: [callers.planId] }),
}
/** A request to an article of a kind. */
const to =
  (method: Attempt['method'], rest = '', kind: keyof typeof KINDS = 'public', body?: object) =>
  async (): Promise<Attempt> => {
    const { id } = await help.article(KINDS[kind]())
    return { method, path: `/help/articles/${id}${rest}`, ...(body && { body }) }
  }

testCallers(
  TABLE,
  {
    'read a public article': to('GET'),
    'list what is related to a public article': to('GET', '/related'),
    'read an article for members': to('GET', '', 'members'),
    'list what is related to an article for members': to('GET', '/related', 'members'),
    'read an internal article': to('GET', '', 'internal'),
    'list what is related to an internal article': to('GET', '/related', 'internal'),
    'read an article for a plan': to('GET', '', 'plan'),
    'list what is related to an article for a plan': to('GET', '/related', 'plan'),
    'read a draft': async () => ({ method: 'GET', path: `/help/articles/${(await help.draft()).id}` }),
    'vote for an article for members': to('PUT', '/vote', 'members', { helpful: true }),
    'change an article': to('PATCH', '', 'public', { title: 'x' }),
    'publish an article': to('POST', '/publish'),
    'archive an article': to('POST', '/archive'),
    'list versions of an article': to('GET', '/versions'),
    'read the insights': () => ({ method: 'GET', path: '/help/insights' }),
  },
  () => callers,
)
