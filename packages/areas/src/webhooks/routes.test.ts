import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { TestApi } from '#testkit/api.ts'
import { type Data, type Fault, registerEndpoint as register } from '#testkit/areas/webhooks.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { SOON } from '#testkit/soon.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import type { Endpoint } from './schema.ts'

let api: TestApi
let one: Side
let other: Side

withOwnApi(
  () => ({ environment: { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8,::1' } }),
  async (opened) => {
    api = opened
    const projects = await makeProjects(api)
    one = projects[0].live
    other = projects[1].live
  },
)

describe('an endpoint', () => {
  test('is registered with what was asked for, and listed the newest first', async () => {
    const [{ live: side }] = await makeProjects(api)
    const first = await register(side, { description: 'First', events: ['member.*', 'plan.created'] })
    const second = await register(side, { payload: 'thin', fifo: true, rate_limit: 50, signing: 'ed25519' })
    expect(first).toMatchObject({
      description: 'First',
      events: ['member.*', 'plan.created'],
      enabled: true,
      payload: 'full',
      fifo: false,
      rate_limit: null,
      signing: 'hmac',
      header_names: [],
      disabled_at: null,
    })
    expect(second).toMatchObject({ payload: 'thin', fifo: true, rate_limit: 50, signing: 'ed25519' })
    const { body } = await side.admin.get<Data<Endpoint[]> & { pagination: { total: number } }>(
      '/webhooks?limit=2',
    )
    expect(body.data.map((endpoint) => endpoint.id)).toEqual([second.id, first.id])
    expect(body.pagination.total).toBe(2)
  })

  test('changes as a whole list or not at all, and says nothing of headers but their names', async () => {
    const { id } = await register(one, { headers: { Authorization: 'Bearer hidden', 'X-Env': 'a' } })
    const { body } = await one.admin.patch<Data<Endpoint>>(`/webhooks/${id}`, {
      events: ['plan.*'],
      rate_limit: 5,
    })
    expect(body.data).toMatchObject({
      events: ['plan.*'],
      rate_limit: 5,
      header_names: ['Authorization', 'X-Env'],
    })
    const cleared = await one.admin.patch<Data<Endpoint>>(`/webhooks/${id}`, {
      headers: {},
      rate_limit: null,
    })
    expect(cleared.body.data).toMatchObject({ header_names: [], rate_limit: null, events: ['plan.*'] })
    const unchanged = await one.admin.patch<Data<Endpoint>>(`/webhooks/${id}`, {})
    expect(unchanged.body.data.updated_at).toBe(cleared.body.data.updated_at)
  })

  test('shows its secret when it is made and when it is asked for, and nowhere else', async () => {
    const made = await register(one, { headers: { Authorization: 'Bearer hidden' } })
    const { body } = await one.admin.get<Data<{ secret: string }>>(`/webhooks/${made.id}/secret`)
    expect(body.data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const answers = [
      (await one.admin.get(`/webhooks/${made.id}`)).body,
      (await one.admin.get('/webhooks?limit=100')).body,
      (await one.admin.post(`/webhooks/${made.id}/rotate-secret`)).body,
      (await one.admin.patch(`/webhooks/${made.id}`, { description: 'x' })).body,
    ]
    expect(made).toMatchObject({ secret: body.data.secret })
    for (const answer of answers) {
      expect(JSON.stringify(answer)).not.toContain(body.data.secret)
      expect(JSON.stringify(answer)).not.toContain('hidden')
    }
  })

  test('keeps its secret and headers sealed: the database has neither', async () => {
    const { id } = await register(one, { headers: { Authorization: 'Bearer hidden' } })
    const { body } = await one.admin.get<Data<{ secret: string }>>(`/webhooks/${id}/secret`)
    const { rows } = await one.read({ rows: everything() })
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) {
      expect(row).not.toContain(Buffer.from(body.data.secret).toString('hex'))
      expect(row).not.toContain(Buffer.from('hidden').toString('hex'))
      expect(row).not.toContain('hidden')
    }
  })

  test('gets a new secret by rotation, and the old one signs for 24 hours more', async () => {
    const { id } = await register(one)
    const secretOf = async () =>
      (await one.admin.get<Data<{ secret: string }>>(`/webhooks/${id}/secret`)).body.data.secret
    const before = await secretOf()
    const { body } = await one.admin.post<Data<Endpoint & { secret: string }>>(
      `/webhooks/${id}/rotate-secret`,
    )
    const until = Date.parse(body.data.previous_secret_until ?? '') - Date.now()
    expect(until).toBeGreaterThan(23.9 * 3_600_000)
    expect(until).toBeLessThan(24.1 * 3_600_000)
    expect(body.data.secret).not.toBe(before)
    expect(await secretOf()).toBe(body.data.secret)
    const switched = await one.admin.post<Data<Endpoint & { secret: string }>>(
      `/webhooks/${id}/rotate-secret`,
      { signing: 'ed25519' },
    )
    expect(switched.body.data.signing).toBe('ed25519')
    expect(switched.body.data.secret).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    expect(await secretOf()).toBe(switched.body.data.secret)
  })

  test('can be disabled and enabled, twice over', async () => {
    const { id } = await register(one)
    for (let i = 0; i < 2; i++) {
      const off = await one.admin.post<Data<Endpoint>>(`/webhooks/${id}/disable`)
      expect(off.body.data).toMatchObject({ enabled: false, disabled_reason: 'requested' })
      expect(off.body.data.disabled_at).not.toBeNull()
    }
    expect((await one.admin.post<Fault>(`/webhooks/${id}/test`)).body.code).toBe('ENDPOINT_DISABLED')
    for (let i = 0; i < 2; i++) {
      const on = await one.admin.post<Data<Endpoint>>(`/webhooks/${id}/enable`)
      expect(on.body.data).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null })
    }
    const patched = await one.admin.patch<Data<Endpoint>>(`/webhooks/${id}`, { enabled: false })
    expect(patched.body.data.enabled).toBe(false)
  })

  test('is gone when it is deleted, with its deliveries', async () => {
    const { id } = await register(one)
    const delivery = await one.admin.post<Data<{ id: string }>>(`/webhooks/${id}/test`)
    expect((await one.admin.delete(`/webhooks/${id}`)).body).toEqual({
      success: true,
      data: { id, deleted: true },
    })
    expect(refusalOf(await one.admin.get(`/webhooks/${id}`))).toBe('404 NOT_FOUND')
    expect(refusalOf(await one.admin.get(`/webhooks/deliveries/${delivery.body.data.id}`))).toBe(
      '404 NOT_FOUND',
    )
    expect(refusalOf(await one.admin.delete(`/webhooks/${id}`))).toBe('404 NOT_FOUND')
  })
})

describe('another project', () => {
  test('sees nothing of an endpoint and its deliveries, and cannot touch them', async () => {
    const { id } = await register(one)
    const { body } = await one.admin.post<Data<{ id: string }>>(`/webhooks/${id}/test`)
    const delivery = body.data.id
    const since = new Date(Date.now() - 60_000).toISOString()
    const tries = [
      other.admin.get(`/webhooks/${id}`),
      other.admin.patch(`/webhooks/${id}`, { description: 'x' }),
      other.admin.delete(`/webhooks/${id}`),
      other.admin.get(`/webhooks/${id}/secret`),
      other.admin.post(`/webhooks/${id}/rotate-secret`),
      other.admin.post(`/webhooks/${id}/rotate-secret`, { signing: 'hmac' }),
      other.admin.post(`/webhooks/${id}/test`),
      other.admin.post(`/webhooks/${id}/enable`),
      other.admin.post(`/webhooks/${id}/disable`),
      other.admin.post(`/webhooks/${id}/recover`, { since }),
      other.admin.get(`/webhooks/${id}/deliveries`),
      other.admin.get(`/webhooks/${id}/stats`),
      other.admin.get(`/webhooks/deliveries/${delivery}`),
      other.admin.post(`/webhooks/deliveries/${delivery}/retry`),
    ]
    for (const answer of await Promise.all(tries)) expect(refusalOf(answer)).toBe('404 NOT_FOUND')
    expect((await one.admin.get(`/webhooks/${id}`)).status).toBe(200)
  })

  test('cannot read the log from an event that is not its own', async () => {
    await one.makeMember()
    // The log waits for every older write on this server, of other tests too.
    const own = await vi.waitFor(async () => {
      const { body } = await one.admin.get<Data<{ id: string }[]>>('/events')
      expect(body.data).not.toEqual([])
      return body.data[0]?.id
    }, SOON)
    expect((await one.admin.get(`/events?after=${own}`)).status).toBe(200)
    expect(refusalOf(await other.admin.get(`/events?after=${own}`))).toBe('400 INVALID_PARAMETERS')
  })
})

describe('recovery', () => {
  test.each([
    ['more than 30 days back', { since: new Date(Date.now() - 31 * 86_400_000).toISOString() }],
    ['the wrong way round', { since: '2026-11-20T00:00:00Z', until: '2026-11-19T00:00:00Z' }],
    ['no time at all', { since: 'yesterday' }],
    ['nothing', {}],
  ])('refuses %s', async (_, body) => {
    const { id } = await register(one)
    expect(refusalOf(await one.admin.post(`/webhooks/${id}/recover`, body))).toBe('422 VALIDATION_ERROR')
  })

  test('of a disabled endpoint waits for it to be enabled, which refuses the same ranges', async () => {
    const { id } = await register(one, { enabled: false })
    const since = new Date(Date.now() - 60_000).toISOString()
    const { status, body } = await one.admin.post<Fault>(`/webhooks/${id}/recover`, { since })
    expect([status, body.code]).toEqual([422, 'ENDPOINT_DISABLED'])
    const tooOld = new Date(Date.now() - 31 * 86_400_000).toISOString()
    expect(refusalOf(await one.admin.post(`/webhooks/${id}/enable`, { recover_since: tooOld }))).toBe(
      '422 VALIDATION_ERROR',
    )
    expect((await one.admin.post(`/webhooks/${id}/enable`, { recover_since: since })).status).toBe(200)
  })
})

const everything = defineQuery('webhook_endpoint_rows', () =>
  query.selectFrom('webhook_endpoints as e').select(sql<string>`e::text`.as('row')),
)
