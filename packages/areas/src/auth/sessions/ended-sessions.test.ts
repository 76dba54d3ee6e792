import { describe, expect, onTestFinished, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withTwoApis } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'
import { endOneSession } from './queries.ts'

let api: TestApi
let second: TestApi
let side: Side

withTwoApis(async (one, other) => {
  api = one
  second = other
  side = (await makeProjects(api))[0].live
})

const isLetIn = async (token: string, at = api) =>
  (await at.send('GET', '/api/v1/user/profile', { key: token })).status === 200

test('the process that answers a log-out refuses the token from then on', async () => {
  const { memberId } = await side.signIn()
  for (let n = 0; n < 40; n++) {
    const { token } = await side.signIn(memberId)
    await side.as(token).post('/auth/logout', n % 2 === 0 ? {} : { scope: 'all' })
    expect([n, await isLetIn(token)]).toEqual([n, false])
  }
})

describe('within a second, in every process, tokens stop working', () => {
  const stops = async (token: string) => {
    for (const at of [api, second])
      await within(1_000, async () => expect(await isLetIn(token, at)).toBe(false))
  }
  const started = async () => {
    const signedIn = await side.signIn()
    for (const at of [api, second]) expect(await isLetIn(signedIn.token, at)).toBe(true)
    return signedIn
  }

  test('when the member logs out, and no others', async () => {
    const { token, memberId } = await started()
    const elsewhere = await side.signIn(memberId)
    await side.as(token).post('/auth/logout', {})
    await stops(token)
    expect(await isLetIn(elsewhere.token, second)).toBe(true)
  })

  test.each<[string, (memberId: string) => Promise<unknown>]>([
    ['is deactivated', (id) => side.admin.patch(`/members/${id}`, { status: 'inactive' })],
    ['is made to wait', (id) => side.admin.patch(`/members/${id}`, { status: 'pending' })],
    ['is deleted', (id) => side.admin.delete(`/members/${id}`)],
    ['is anonymized', (id) => side.admin.delete(`/members/${id}?mode=anonymize`)],
    ['is logged out by an operator', (id) => side.admin.delete(`/members/${id}/sessions`)],
    [
      'is deactivated with many others',
      (id) =>
        side.admin.post('/members/bulk', {
          operations: [{ action: 'update', id, changes: { status: 'inactive' } }],
        }),
    ],
    [
      'is deleted for good',
      (id) => api.owner.query('delete from members where id = $1', [parseId('member', id)]),
    ],
  ])('when the member %s', async (_what, act) => {
    const { token, memberId } = await started()
    await act(memberId)
    await stops(token)
  })

  test('and stay refused by a process that starts later', async () => {
    const { token } = await started()
    await side.as(token).post('/auth/logout', { scope: 'all' })
    const third = await startApi({ database: api.database })
    expect(await isLetIn(token, third)).toBe(false)
    await third.close()
  })

  test('also while the change feed is down', async () => {
    const { token, sessionId, memberId } = await started()
    const kept = await started()
    // Cut again and again, so that no process can hear anything.
    const cut = () =>
      api.owner.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'guildhall changes' and datname = current_database()",
      )
    const cutting = setInterval(() => cut().catch(() => {}), 10)
    onTestFinished(() => clearInterval(cutting))
    await cut()
    const id = parseId('session', sessionId) ?? ''
    await side.write(endOneSession({ id, memberId: parseId('member', memberId) ?? '', reason: 'logout' }))
    await stops(token)
    for (const at of [api, second]) expect(await isLetIn(kept.token, at)).toBe(true)
  })
})
