import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { parseId, toId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeOperator, setRole } from '#testkit/areas/console.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'
import { withoutStall } from '#testkit/without-stall.ts'
import type { ApiKeyRecord } from './schema.ts'
import type { KeyRequest } from './service.ts'

interface List {
  success: true
  data: ApiKeyRecord[]
}
interface Rotated {
  data: ApiKeyRecord & { key: string }
}

let api: TestApi
let side: Side
let other: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
})

const works = async (key: string) => (await side.as(key).get('/api-keys/self')).status === 200
const isListed = async (id: string) =>
  (await side.admin.get<List>('/api-keys')).body.data.find((key) => key.id === id)
const eventsOf = async (id: string) => {
  const { rows } = await api.owner.query<{ type: string }>(
    `select type from events where payload ->> 'id' = $1 order by id`,
    [id],
  )
  return rows.map((row) => row.type)
}

describe('GET /api-keys', () => {
  test('lists the project’s keys, the newest first, each with its rights and without the key', async () => {
    const secret = await side.makeKey({
      name: 'Backend',
      permissions: ['read:members', 'write:forms'],
      created_by: 'ada',
    })
    const open = await side.makeKey({
      type: 'public',
      name: 'Site',
      capabilities: ['catalog', 'auth'],
      allowed_ips: ['10.0.0.0/8', '2001:db8::1'],
      allowed_origins: ['https://example.com'],
      expires_at: '2027-01-01T00:00:00Z',
    })
    await other.makeKey({ name: 'Of another project' })
    const { body } = await side.admin.get<List>('/api-keys')
    expect(body).toEqual({ success: true, data: expect.any(Array) })
    expect(body.data[0]).toEqual({
      id: open.id,
      name: 'Site',
      type: 'public',
      prefix: open.key.slice(0, 20),
      capabilities: ['auth', 'catalog'],
      allowed_ips: ['10.0.0.0/8', '2001:db8::1'],
      allowed_origins: ['https://example.com'],
      created_by: null,
      created_at: expect.any(String),
      expires_at: '2027-01-01T00:00:00.000Z',
      revoked_at: null,
      last_used_at: null,
    })
    expect(body.data[1]).toMatchObject({
      id: secret.id,
      type: 'secret',
      permissions: ['read:members', 'write:forms'],
      created_by: 'ada',
    })
    expect(body.data[1]).not.toHaveProperty('capabilities')
    const text = JSON.stringify(body)
    expect([text.includes(secret.key), text.includes(open.key), text.includes('hash')]).toEqual([
      false,
      false,
      false,
    ])
    expect(body.data.map(({ name }) => name)).not.toContain('Of another project')
  })

  test('stores nothing that a key could be made of', async () => {
    const { key, id } = await side.makeKey()
    const { rows } = await api.owner.query<{ row: string }>(
      `select to_jsonb(k)::text as row from api_keys k where id = $1
       union all select payload::text from events where payload ->> 'id' = $2`,
      [parseId('API key', id), id],
    )
    expect(rows).toHaveLength(2)
    for (const { row } of rows) expect(row).not.toContain(key.slice(20))
  })
})

describe('GET /api-keys/self', () => {
  test('tells any key what it is', async () => {
    const secret = await side.makeKey({ name: 'Mine' })
    const open = await side.makeKey({ type: 'public' })
    expect((await side.as(secret.key).get<{ data: object }>('/api-keys/self')).body.data).toMatchObject({
      id: secret.id,
      name: 'Mine',
      permissions: [],
      environment: 'live',
      rate_limit: 1_000_000,
    })
    expect((await side.as(open.key).get<{ data: object }>('/api-keys/self')).body.data).toEqual({
      id: open.id,
      type: 'public',
      environment: 'live',
      capabilities: ['auth'],
    })
  })

  test('tells an operator who that is, and the role', async () => {
    const operator = await makeOperator(api)
    await setRole(api, side.projectId, operator.id, 'viewer')
    const token = await operator.tokenFor(toId('project', side.projectId))
    expect((await side.as(token).get<{ data: object }>('/api-keys/self')).body.data).toEqual({
      id: operator.publicId,
      type: 'operator',
      environment: 'live',
      role: 'viewer',
      rate_limit: 600,
      token_audience: toId('project', side.projectId),
      expires_at: expect.any(String),
    })
  })
})

describe('DELETE /api-keys/{id}', () => {
  test('ends a key for good, once', async () => {
    const { id, key } = await side.makeKey()
    expect(await works(key)).toBe(true)
    const { body } = await side.admin.delete(`/api-keys/${id}`)
    expect(body).toEqual({ success: true, data: { id, deleted: true } })
    expect((await isListed(id))?.revoked_at).toEqual(expect.any(String))
    expect(refusalOf(await side.admin.delete(`/api-keys/${id}`))).toBe('404 NOT_FOUND')
    await within(1_000, async () => expect(await works(key)).toBe(false))
    expect(await eventsOf(id)).toEqual(['api_key.created', 'api_key.revoked'])
  })

  test('can be asked for with the key itself', async () => {
    const { id, key } = await side.makeKey({ permissions: ['admin'] })
    expect((await side.as(key).delete(`/api-keys/${id}`)).status).toBe(200)
    await within(1_000, async () => expect(await works(key)).toBe(false))
  })
})

describe('POST /api-keys/{id}/rotate', () => {
  test('answers a new key with the same rights, this once, and ends the old one', async () => {
    const rights = {
      permissions: ['read:plans'],
      allowed_ips: ['10.0.0.0/8'],
      allowed_origins: ['https://a.example'],
    }
    const old = await side.makeKey({ name: 'Turning', ...rights })
    const { status, body } = await side.admin.post<Rotated>(`/api-keys/${old.id}/rotate`, {})
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ name: 'Turning', type: 'secret', ...rights })
    expect([body.data.id === old.id, body.data.key === old.key]).toEqual([false, false])
    expect(await works(body.data.key)).toBe(true)
    await within(1_000, async () => expect(await works(old.key)).toBe(false))
    expect(await eventsOf(body.data.id)).toEqual(['api_key.rotated'])
  })

  test('lets the old key work for the time of grace and not longer', () =>
    withoutStall(200, async () => {
      const old = await side.makeKey()
      const rotated = performance.now()
      await side.admin.post(`/api-keys/${old.id}/rotate`, { grace_seconds: 2 })
      await sleep(1_000)
      expect(await works(old.key)).toBe(true)
      await expect.poll(() => works(old.key)).toBe(false)
      expect(performance.now() - rotated).toBeGreaterThan(1_900)
    }))

  test('gives no key more time than it had', async () => {
    const expires_at = new Date(Date.now() + 60_000)
    const old = await side.makeKey({ expires_at })
    const { body } = await side.admin.post<Rotated>(`/api-keys/${old.id}/rotate`, { grace_seconds: 604_800 })
    expect((await isListed(old.id))?.expires_at).toBe(expires_at.toISOString())
    expect(body.data.expires_at).toBe(expires_at.toISOString())
  })

  test('is refused for a key that no longer works', async () => {
    const revoked = await side.makeKey()
    await side.admin.delete(`/api-keys/${revoked.id}`)
    const expired = await side.makeKey({ expires_at: new Date(Date.now() - 1_000) })
    for (const { id } of [revoked, expired])
      expect(refusalOf(await side.admin.post(`/api-keys/${id}/rotate`, {}))).toBe('404 NOT_FOUND')
  })

  test('by many at once makes one key', async () => {
    const { id } = await side.makeKey({ name: 'Contested' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => side.admin.post(`/api-keys/${id}/rotate`, { grace_seconds: 0 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404, 404, 404, 404, 404])
  })
})

test('a key works until it expires', () =>
  withoutStall(200, async () => {
    const { key } = await side.makeKey({ expires_at: new Date(Date.now() + 1_500) })
    expect(await works(key)).toBe(true)
    await sleep(1_550)
    expect(await works(key)).toBe(false)
  }))

test.for<[string, Partial<KeyRequest>]>([
  ['an empty name', { name: '' }],
  ['an unknown permission', { permissions: ['read:everything'] }],
  ['an unknown capability', { type: 'public', capabilities: ['admin'] }],
  ['what is no address', { allowed_ips: ['10.0.0.256'] }],
  ['a range of too many bits', { allowed_ips: ['10.0.0.0/33'] }],
  ['an origin with a path', { allowed_origins: ['https://example.com/a'] }],
  ['an origin that is everything', { allowed_origins: ['*'] }],
])('a key with %s is not made', async ([, request]) => {
  await expect(side.makeKey(request)).rejects.toMatchObject({ status: 422, code: 'VALIDATION_ERROR' })
})

test('when keys were used is written in batches, and shown', async () => {
  const keys = await Promise.all(Array.from({ length: 5 }, () => side.makeKey()))
  const before = Date.now()
  for (let i = 0; i < 3; i++) await Promise.all(keys.map(({ key }) => works(key)))
  expect((await isListed(keys[0]?.id ?? ''))?.last_used_at).toBe(null)
  await api.deps.usage.flush()
  for (const { id } of keys) {
    const at = Date.parse((await isListed(id))?.last_used_at ?? '')
    expect(at).toBeGreaterThanOrEqual(before)
    expect(at).toBeLessThanOrEqual(Date.now())
  }
})
