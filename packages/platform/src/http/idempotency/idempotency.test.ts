import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type RequestOptions, startApi, type TestApi } from '#testkit/api.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import type { Api } from '../api.ts'
import { envelope } from '../envelope.ts'

let database: TestDatabase
let owner: pg.Client
/** Two API processes on one database. */
let api: TestApi
let other: TestApi
let side: Side
let stranger: Side

/** How often the extra route was run. */
let runs = 0

/** A handler that touches no data, and fails at its first run. */
function extraRoutes(routes: Api): void {
  routes.post(
    '/fails-first',
    {
      config: { access: { secret: 'any' } },
      schema: {
        tags: ['Members'],
        summary: 'For tests',
        response: { 201: envelope(Type.Object({ run: Type.Integer() })) },
      },
    },
    async () => {
      runs += 1
      if (runs === 1) throw new Error('a fault of ours')
      return { run: runs }
    },
  )
}

beforeAll(async () => {
  database = await cloneDatabase()
  owner = new pg.Client({ connectionString: database.url })
  await owner.connect()
  api = await startApi({ database, extra: extraRoutes })
  other = await startApi({ database, extra: extraRoutes })
  const projects = await makeProjects(api)
  side = projects[0].live
  stranger = projects[1].live
})
afterAll(async () => {
  await api.close()
  await other.close()
  await owner.end()
  await database.drop()
})

let made = 0
const email = () => `idempotent${++made}@example.com`

function post<T = { code?: string }>(path: string, key: string, body: unknown, options: RequestOptions = {}) {
  const headers = { 'idempotency-key': key, ...options.headers }
  return api.send<T>('POST', `/api/v1${path}`, { key: side.key, body, ...options, headers })
}

/** How many members, and events about them, there are with this address. */
async function traces(address: string): Promise<[members: number, events: number]> {
  const count = async (sql: string) => Number((await owner.query(sql, [address])).rows[0].n)
  return [
    await count('select count(*) as n from members where email = $1'),
    await count("select count(*) as n from events where payload ->> 'email' = $1"),
  ]
}

const replayed = (answer: Answer) => answer.headers['idempotent-replayed']

describe('a POST with an Idempotency-Key', () => {
  test('is done once, and answered again with the same status and body', async () => {
    const [key, address] = [randomUUID(), email()]
    const first = await post('/members', key, { email: address })
    const again = await post('/members', key, { email: address })
    expect([first.status, replayed(first)]).toEqual([201, undefined])
    expect([again.status, replayed(again)]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect(await traces(address)).toEqual([1, 1])
  })

  test('fifty at the same time, on two processes, make one member and one event', async () => {
    const [key, address] = [randomUUID(), email()]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        (i % 2 ? api : other).fetch<{ code?: string }>('POST', '/api/v1/members', {
          key: side.key,
          body: { email: address },
          headers: { 'idempotency-key': key },
        }),
      ),
    )
    const made = answers.filter((answer) => answer.status === 201)
    const refused = answers.filter((answer) => answer.status !== 201)
    expect(made.filter((answer) => replayed(answer) === undefined)).toHaveLength(1)
    expect(new Set(made.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    for (const { status, body, headers } of refused)
      expect([status, body.code, headers['retry-after']]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', '1'])
    expect(await traces(address)).toEqual([1, 1])
  })

  test('is refused with another body, path or member, and changes nothing', async () => {
    const [key, address, second] = [randomUUID(), email(), email()]
    await post('/members', key, { email: address })
    const wrong = [
      await post('/members', key, { email: second }),
      await post('/members', key, { email: address, role: 'admin' }),
      await post('/plans', key, { name: 'Another', price: 1 }),
      await post('/members', key, { email: address }, { headers: { 'x-user-id': 'mem_1' } }),
    ]
    for (const { status, body } of wrong) expect([status, body.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH'])
    expect(await traces(second)).toEqual([0, 0])
  })

  test('is the same request under the legacy prefix', async () => {
    const [key, address] = [randomUUID(), email()]
    await post('/members', key, { email: address })
    const headers = { 'idempotency-key': key }
    const again = await api.send('POST', '/sdk/members', { key: side.key, body: { email: address }, headers })
    expect([again.status, replayed(again)]).toEqual([201, 'true'])
  })

  test('belongs to its project and kind of key: no other meets it', async () => {
    const [key, address] = [randomUUID(), email()]
    await post('/members', key, { email: address })
    const theirs = await post('/members', key, { email: address }, { key: stranger.key })
    expect([theirs.status, replayed(theirs)]).toEqual([201, undefined])
    const second = await side.makeKey({ permissions: ['write:members'] })
    expect(replayed(await post('/members', key, { email: address }, { key: second.key }))).toBe('true')
  })

  test('is not answered to a key that may not make the request', async () => {
    const [key, address] = [randomUUID(), email()]
    await post('/members', key, { email: address })
    const weak = await side.makeKey({ permissions: ['read:members'] })
    expect(refusalOf(await post('/members', key, { email: address }, { key: weak.key }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })

  test.each(['', 'x'.repeat(256)])('a key of the wrong length is refused', async (key) => {
    const address = email()
    const { status, body } = await post('/members', key, { email: address })
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETERS'])
    expect(await traces(address)).toEqual([0, 0])
  })

  test('255 characters are a key', async () => {
    const key = randomUUID().padEnd(255, 'x')
    const address = email()
    await post('/members', key, { email: address })
    expect(replayed(await post('/members', key, { email: address }))).toBe('true')
  })

  test('is forgotten after 24 hours', async () => {
    const [key, address] = [randomUUID(), email()]
    await post('/members', key, { email: address })
    await owner.query(
      "update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = $1",
      [key],
    )
    const next = await post('/members', key, { email: email() })
    expect([next.status, replayed(next)]).toEqual([201, undefined])
  })

  test('other methods ignore it', async () => {
    const member = await side.makeMember()
    const headers = { 'idempotency-key': randomUUID() }
    for (const role of ['one', 'two']) {
      const answer = await side.admin.patch<{ success: boolean }>(
        `/members/${member.id}`,
        { full_name: role },
        { headers },
      )
      expect([answer.status, replayed(answer)]).toEqual([200, undefined])
    }
  })
})

describe('what is kept', () => {
  test('not a request that does not fit: mended, it takes the same key', async () => {
    const [key, address] = [randomUUID(), email()]
    expect((await post('/members', key, { email: 'no address' })).body.code).toBe('VALIDATION_ERROR')
    expect((await post('/members', key, { email: address, plan_id: 'plan_none' })).body.code).toBe(
      'VALIDATION_ERROR',
    )
    expect(
      (
        await api.send('POST', '/api/v1/members', {
          key: side.key,
          raw: '{',
          headers: { 'idempotency-key': key },
        })
      ).status,
    ).toBe(400)
    const mended = await post('/members', key, { email: address })
    expect([mended.status, replayed(mended)]).toEqual([201, undefined])
  })

  test('a refusal that the handler decided, for the same request', async () => {
    const [key, address] = [randomUUID(), email()]
    await side.makeMember({ email: address })
    const first = await post('/members', key, { email: address })
    const again = await post('/members', key, { email: address })
    expect([first.status, first.body.code]).toEqual([422, 'EMAIL_TAKEN'])
    expect([again.status, again.body, replayed(again)]).toEqual([422, first.body, 'true'])
  })

  test('not a fault of ours: the next request does the work, and its answer is kept', async () => {
    const key = randomUUID()
    const statuses: unknown[] = []
    for (let i = 0; i < 3; i++) {
      const { status, body, headers } = await post<{ data?: unknown }>('/fails-first', key, undefined)
      statuses.push([status, body.data, headers['idempotent-replayed']])
    }
    expect(statuses).toEqual([
      [500, undefined, undefined],
      [201, { run: 2 }, undefined],
      [201, { run: 2 }, 'true'],
    ])
  })

  test('a new API key is answered again, and cannot be read in the database', async () => {
    const { id } = await side.makeKey()
    const key = randomUUID()
    const first = await post<{ data: { key: string } }>(`/api-keys/${id}/rotate`, key, {})
    const again = await post<{ data: { key: string } }>(`/api-keys/${id}/rotate`, key, {})
    expect(first.body.data.key).toMatch(/^svc_sk_live_/)
    expect([again.body, replayed(again)]).toEqual([first.body, 'true'])
    const { rows } = await owner.query(
      'select i::text as text, body from idempotency_keys i where key = $1',
      [key],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].body.includes(first.body.data.key)).toBe(false)
    expect(rows[0].text).not.toContain(first.body.data.key)
  })
})
