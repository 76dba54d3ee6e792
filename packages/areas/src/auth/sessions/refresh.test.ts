import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { withProjects } from '#testkit/with-api.ts'
import { newSessionOf, type Tokens } from './logins.fixture.ts'

let api: TestApi
let other: Side
let side: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
})

const newSession = (of = side) => newSessionOf(of)
const profile = (token: string) => side.as(token).get<{ data: { id: string } }>('/user/profile')
const eventsOf = async (type: string) =>
  (await api.owner.query<{ payload: { id: string } }>('select payload from events where type = $1', [type]))
    .rows
/** Lets time pass for what the column says. */
const age = (table: string, column: string, seconds: number) =>
  api.owner.query(`update ${table} set ${column} = ${column} - make_interval(secs => $1)`, [seconds])

describe('refreshing', () => {
  const refresh = (refresh_token: string, of = side) =>
    of.admin.post<{ session: Tokens; code?: string }>('/auth/refresh', { refresh_token })

  test('gives new tokens of the same session, once', async () => {
    const { session } = await newSession()
    const { status, body } = await refresh(session.refresh_token)
    expect(status).toBe(200)
    expect(decodeJwt(body.session.access_token)['session_id']).toBe(
      decodeJwt(session.access_token)['session_id'],
    )
    expect(body.session.refresh_token).not.toBe(session.refresh_token)
    expect((await refresh(body.session.refresh_token)).status).toBe(200)
  })

  test('fifty at the same moment are one successor, and nobody is logged out', async () => {
    const { session } = await newSession()
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(session.refresh_token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const successors = new Set(answers.map(({ body }) => body.session.refresh_token))
    expect(successors.size).toBe(1)
    expect((await refresh([...successors][0] ?? '')).status).toBe(200)
    expect((await profile(session.access_token)).status).toBe(200)
  })

  test('a used token that comes back later ends the session, and says so', async () => {
    const { session } = await newSession()
    const id = String(decodeJwt(session.access_token)['session_id'])
    const next = (await refresh(session.refresh_token)).body.session
    await age('refresh_tokens', 'used_at', 11)
    expect(await refresh(session.refresh_token)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_TOKEN', reason: 'reused' },
    })
    expect(refusalOf(await refresh(next.refresh_token))).toBe('401 INVALID_TOKEN')
    await expect.poll(async () => (await profile(next.access_token)).status, SOON).toBe(401)
    expect((await eventsOf('session.revoked')).map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ id, reason: 'token_reuse' }),
    )
  })

  test('a token whose successor was used ends the session at once', async () => {
    const { session } = await newSession()
    const second = (await refresh(session.refresh_token)).body.session
    expect((await refresh(session.refresh_token)).body.session.refresh_token).toBe(second.refresh_token)
    const third = (await refresh(second.refresh_token)).body.session
    expect(refusalOf(await refresh(session.refresh_token))).toBe('401 INVALID_TOKEN')
    expect(refusalOf(await refresh(third.refresh_token))).toBe('401 INVALID_TOKEN')
  })

  test('another project’s token is an unknown one; an expired one says so', async () => {
    const { session } = await newSession(other)
    const expired = await newSession()
    await age('refresh_tokens', 'expires_at', 8 * 86_400)
    for (const [token, reason] of [
      [session.refresh_token, 'unknown_token'],
      ['unknown', 'unknown_token'],
      [expired.session.refresh_token, 'expired'],
    ] as const)
      expect(await refresh(token)).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN', reason } })
  })
})
