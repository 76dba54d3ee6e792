import { beforeAll, describe, expect, test, vi } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeOperator, setRole, type TestOperator } from '#testkit/areas/console.ts'
import { fillPath } from '#testkit/catalog/sample-requests.ts'
import type { TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { withProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'

// Operators who log in as members, and who have mails sent to themselves.

let api: TestApi
let one: TestProject
let two: TestProject
let admin: TestOperator
let viewer: TestOperator

withProjects((opened, first, second) => {
  api = opened
  one = first
  two = second
})
beforeAll(async () => {
  admin = await makeOperator(api)
  viewer = await makeOperator(api)
  await setRole(api, one.live.projectId, admin.id, 'admin')
  await setRole(api, one.live.projectId, viewer.id, 'viewer')
})

interface Opened {
  data: { access_token: string; member_id: string; session_id: string; expires_in: number }
}
const logIn = (member: string, as = admin, body: object = { environment: 'live' }) =>
  as.call<Opened>('POST', `/projects/${one.project.id}/members/${member}/session`, body)
const mailsTo = async (member: string) =>
  (
    await api.owner.query<{ mail: string }>('select mail from mails where member_id = $1', [
      parseId('member', member),
    ])
  ).rows.map(({ mail }) => mail)

/** What an operator must never do as a member. */
const FOR_MEMBERS_ALONE = [
  ...[
    'beginPasskey',
    'beginTotp',
    'changePassword',
    'changeSubscription',
    'checkOut',
    'confirmTotp',
    'createSubscription',
    'deleteFactor',
    'deleteProfile',
    'endSession',
  ],
  ...[
    'exportOwnData',
    'payBill',
    'payOrder',
    'registerPasskey',
    'renewRecoveryCodes',
    'setSubscriptionPaymentMethod',
    'updateProfile',
  ],
]

describe('an operator who is logged in as a member', () => {
  test('reads what the member reads, for 15 minutes, and is shown in the profile, the audit log and a mail', async () => {
    const { id } = await one.live.makeMember()
    const { status, body } = await logIn(id, admin, { environment: 'live', reason: 'A lost order' })
    expect(status).toBe(201)
    expect(body.data.expires_in).toBeLessThanOrEqual(900)
    const profile = await one.live.as(body.data.access_token).get<{ data: object }>('/user/profile')
    expect(profile.body.data).toMatchObject({ id, operator_id: admin.publicId })
    const { rows } = await api.owner.query(
      "select actor_kind, actor_id, reason from audit_log where target = $1 and action = 'member.log_in_as'",
      [id],
    )
    expect(rows).toEqual([{ actor_kind: 'operator', actor_id: admin.publicId, reason: 'A lost order' }])
    expect(await mailsTo(id)).toEqual(['operator_logged_in'])
    const own = await one.live.signIn(id)
    const shown = await one.live.as(own.token).get<{ data: object }>('/user/profile')
    expect(shown.body.data).not.toHaveProperty('operator_id')
    expect((await one.live.as(own.token).delete(`/auth/sessions/${body.data.session_id}`)).status).toBe(200)
    await vi.waitFor(
      async () => expect((await one.live.as(body.data.access_token).get('/user/profile')).status).toBe(401),
      SOON,
    )
  })

  test('is refused by every operation that is for members alone, whatever is sent', async () => {
    const { id } = await one.live.makeMember()
    const { access_token: key } = (await logIn(id)).body.data
    const closed = api.contract.endpoints.filter(({ operation }) =>
      operation.description?.includes('OPERATOR_SESSION'),
    )
    expect(closed.map(({ operation }) => operation.operationId).toSorted()).toEqual(FOR_MEMBERS_ALONE)
    for (const endpoint of closed) {
      const path = fillPath(endpoint, {})
      const answer = await api.send(endpoint.method, path, {
        key,
        ...(endpoint.method !== 'DELETE' && { body: {} }),
      })
      expect([endpoint.operation.operationId, refusalOf(answer)]).toEqual([
        endpoint.operation.operationId,
        '403 OPERATOR_SESSION',
      ])
    }
    expect(await mailsTo(id)).toEqual(['operator_logged_in'])
  })

  test('is logged out with the console, and when the role ends or changes', async () => {
    const { id } = await one.live.makeMember()
    const statusOf = async (key: string) => {
      const { body } = await one.live.as(key).get<{ reason?: string }>('/user/profile')
      return body.reason ?? 'let in'
    }
    const ends: Record<string, (who: TestOperator) => Promise<unknown>> = {
      session_ended: (who) => who.call('POST', '/logout'),
      role_ended: (who) => setRole(api, one.live.projectId, who.id, 'viewer'),
    }
    for (const [reason, end] of Object.entries(ends)) {
      const who = await makeOperator(api)
      await setRole(api, one.live.projectId, who.id, 'admin')
      const { access_token } = (await logIn(id, who)).body.data
      expect(await statusOf(access_token)).toBe('let in')
      await end(who)
      await within(1_000, async () => expect(await statusOf(access_token)).toBe(reason))
    }
    const own = await one.live.signIn(id)
    expect(await statusOf(own.token)).toBe('let in')
  })

  test('uses up nothing of what the member may send', async () => {
    const { id } = await one.live.makeMember()
    const { access_token } = (await logIn(id)).body.data
    const { headers } = await one.live.as(access_token).get('/user/profile')
    expect(headers['ratelimit-policy']).toBe('"operator";q=600;w=60')
    const own = await one.live.as((await one.live.signIn(id)).token).get('/user/profile')
    expect(own.headers['x-ratelimit-remaining']).toBe('99')
  })

  test('is written to the log of requests as an operator', async () => {
    const { id } = await one.live.makeMember()
    const { access_token } = (await logIn(id)).body.data
    const answer = await one.live.as(access_token).get('/user/profile')
    const request = answer.headers['x-request-id']
    await vi.waitFor(async () => {
      const path = `/projects/${one.project.id}/requests?request_id=${request}&include_operators=true`
      const { body } = await admin.call<{ data: object[] }>('GET', path)
      expect(body.data).toMatchObject([{ member_id: id, operator_id: admin.publicId }])
    }, SOON)
  })
})

describe('nobody logs in as a member', () => {
  test('who is no admin of the project', async () => {
    const { id } = await one.live.makeMember()
    expect(refusalOf(await logIn(id, viewer))).toBe('403 INSUFFICIENT_PERMISSIONS')
    const stranger = await makeOperator(api)
    expect(refusalOf(await logIn(id, stranger))).toBe('404 NOT_FOUND')
    expect(await mailsTo(id)).toEqual([])
  })

  test('of another project, or of the other side', async () => {
    const { id } = await two.live.makeMember()
    expect(refusalOf(await logIn(id))).toBe('404 NOT_FOUND')
    const { id: tested } = await one.test.makeMember()
    expect(refusalOf(await logIn(tested))).toBe('404 NOT_FOUND')
    expect((await logIn(tested, admin, { environment: 'test' })).status).toBe(201)
  })

  test('who is not active', async () => {
    const { id } = await one.live.makeMember({ status: 'inactive' })
    expect(refusalOf(await logIn(id))).toBe('422 VALIDATION_ERROR')
  })
})

test('a project that has turned it off sends members no mail of a log-in', async () => {
  await one.test.admin.patch('/mail/settings', { operator_sessions_mailed: false })
  const { id } = await one.test.makeMember()
  expect((await logIn(id, admin, { environment: 'test' })).status).toBe(201)
  expect(await mailsTo(id)).toEqual([])
})

test('a copy of a mail goes to the operator, and nothing in it works', async () => {
  const { email } = await one.live.makeMember()
  await one.live.admin.post('/auth/magic-link', { email, redirect_url: null })
  await api.owner.query(
    "insert into mails (project_id, id, mail, to_address, state, finished_at) values ($1, gen_random_uuid(), 'magic_link', $2, 'sent', now())",
    [one.live.projectId, email],
  )
  const { body } = await one.live.admin.get<{ data: { id: string; template: string }[] }>(`/mails?limit=100`)
  const mail = body.data.find(({ template }) => template === 'magic_link')
  const path = `/mails/${mail?.id}/send-to-me`
  expect(refusalOf(await one.live.admin.post(path))).toBe('422 OPERATOR_TOKEN_REQUIRED')
  expect(refusalOf(await one.live.as(await viewer.tokenFor(one.project.id)).post(path))).toBe(
    '403 INSUFFICIENT_PERMISSIONS',
  )
  const sent = await one.live.as(await admin.tokenFor(one.project.id)).post<{ data: { id: string } }>(path)
  expect(sent).toMatchObject({ status: 201, body: { data: { to: admin.email } } })
})
