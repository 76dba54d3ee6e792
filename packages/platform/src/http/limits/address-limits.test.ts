import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { makeKey } from '#platform/keys/key-format.ts'
import type { TestApi } from '#testkit/api.ts'
import { callConsole, cookieIn, makeOperator } from '#testkit/areas/console.ts'
import { makeProjects } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { RateLimiter } from './rate-limiter.ts'

// What one address can take of others.

const SELF = '/api/v1/api-keys/self'
let api: TestApi

withOwnApi(
  () => ({}),
  (opened) => {
    api = opened
  },
)

const sideWith = async (rateLimit: number) => (await makeProjects(api, { rateLimit }))[0].live

let guessers = 0

test('guesses above the limit wait, and are looked up together in one statement', async () => {
  // A test that is repeated counts anew.
  const from = `198.51.103.${++guessers}`
  const lookUps = vi.spyOn(pg.Pool.prototype, 'query')
  const asked = () =>
    lookUps.mock.calls.filter(([query]) => JSON.stringify(query).includes('look_up_key')).length
  const guess = () => api.send('GET', SELF, { from, key: makeKey('secret', 'live').key })
  for (let i = 0; i < 100; i++) expect(refusalOf(await guess())).toBe('401 INVALID_TOKEN')
  expect(asked()).toBe(100)
  const answers = await Promise.all(Array.from({ length: 50 }, guess))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(429))
  // Fifty that arrive together need one statement; a slow machine may spread them over some more.
  expect(asked()).toBeLessThan(110)
  lookUps.mockRestore()
})

test('with a public key one address gets a third of the key’s limit, and what it is refused is not taken from the key', async () => {
  const { makeKey: make, as } = await sideWith(30)
  const { key } = await make({ type: 'public', capabilities: ['catalog'] })
  const visit = (from: string, path = '/api-keys/self') => as(key).get(path, { from })
  const [one, other] = ['198.51.100.31', '198.51.100.32']
  const statuses = []
  for (let i = 0; i < 40; i++) statuses.push((await visit(one, i % 2 ? '/plans' : '/api-keys/self')).status)
  expect(statuses.filter((status) => status !== 429)).toHaveLength(10)
  // Twenty are left of the key's own.
  const answers = []
  for (let i = 0; i < 10; i++) answers.push((await visit(other)).status)
  expect(answers).toEqual(Array(10).fill(200))
  expect((await visit('198.51.100.33')).headers['x-ratelimit-remaining']).toBe('9')
})

test('the attempts of an address to log in that are refused are not taken from the key', async () => {
  const { makeKey: make, as } = await sideWith(90)
  const { key } = await make({ type: 'public' })
  const refresh = (from: string) => as(key).post('/auth/refresh', { refresh_token: 'x' }, { from })
  for (let i = 0; i < 30; i++) expect((await refresh('198.51.100.41')).status).toBe(i < 20 ? 401 : 429)
  // Of the key's 90, twenty are gone; the next address has nineteen of its own twenty left.
  for (let i = 0; i < 3; i++) for (let j = 0; j < 20; j++) await refresh(`198.51.101.${i}`)
  const { headers } = await refresh('198.51.102.1')
  expect([headers['ratelimit-policy'], headers['x-ratelimit-remaining']]).toEqual(['"key";q=90;w=60', '9'])
})

test.each(['READONLY You can not write', 'MOVED 3999 127.0.0.1:6381', 'NOAUTH Authentication required'])(
  'a limit that Redis refuses to count is counted in process, and not unseen: %s',
  async (refusal) => {
    const seen: unknown[] = []
    const refuse = async () => {
      throw new Error(refusal)
    }
    const redis = { status: 'ready', defineCommand: () => {}, rlflxIncr: refuse, get: refuse, multi: refuse }
    let shared = 0
    const limiter = new RateLimiter(
      redis as never,
      (error) => seen.push(String(error)),
      () => shared++,
    )
    const limit = { policy: 'address', id: 'one', points: 2 } as const
    const allowed = []
    for (let i = 0; i < 3; i++) allowed.push((await limiter.take(limit)).allowed)
    expect(allowed).toEqual([true, true, false])
    expect(seen).toEqual(Array(3).fill(`Error: ${refusal}`))
    expect(shared).toBe(0)
  },
)

test('a console is refreshed as often as an office needs behind one address; only refused cookies use up its log-ins', async () => {
  const from = '203.0.113.77'
  let { cookie } = await makeOperator(api)
  const refresh = (sent: string) => callConsole(api, 'POST', '/refresh', { headers: { cookie: sent }, from })
  for (let i = 0; i < 25; i++) {
    const { status, headers } = await refresh(cookie)
    expect(status).toBe(200)
    cookie = cookieIn(headers['set-cookie'])
  }
  const wrong = `guildhall_console=${'x'.repeat(43)}`
  const statuses = []
  for (let i = 0; i < 21; i++) statuses.push((await refresh(wrong)).status)
  expect(statuses).toEqual([...Array(20).fill(401), 429])
  expect((await refresh(cookie)).status).toBe(200)
})
