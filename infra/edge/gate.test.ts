import { beforeEach, describe, expect, test } from 'vitest'
import type { NewRule, Rule } from '#areas/member-content/schema.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { createGate, type Gate, type GateOptions } from '../../packages/edge/src/gate.ts'

const SITE = 'https://shop.example'

let api: TestApi
let side: Side
let other: Side
let base: string
/** Paths of the API that the gate has asked for. */
let asked: string[]

withProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
  base = api.url
})
beforeEach(() => {
  asked = []
})

const counted: typeof fetch = (input, init) => {
  asked.push(new URL(String(input)).pathname)
  return fetch(input, init)
}

const gateOf = async (options: Partial<GateOptions> = {}): Promise<Gate> =>
  createGate({
    baseUrl: `${base}/`,
    key: (await side.makeKey({ permissions: ['read:content'] })).key,
    refreshSeconds: 0,
    fetch: counted,
    ...options,
  })

const protect = async (rule: NewRule): Promise<Rule> =>
  (await side.admin.post<{ content: Rule }>('/member-content', rule)).body.content

const page = async () =>
  new Response('the page', { headers: { 'cache-control': 'public, max-age=600', 'x-origin': 'yes' } })

interface Visit {
  readonly token?: string
  readonly cookie?: string
  readonly method?: string
}

async function visit(gate: Gate, path: string, { token, cookie, method = 'GET' }: Visit = {}) {
  const headers = new Headers()
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  if (cookie !== undefined) headers.set('cookie', cookie)
  const answer = await gate.handle(new Request(`${SITE}${path}`, { method, headers }), page)
  return {
    status: answer.status,
    text: await answer.text(),
    kept: answer.headers.get('cache-control'),
    location: answer.headers.get('location'),
    cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
  }
}

describe('a gate at an edge', () => {
  test('lets pages without a rule pass untouched, without a question for each', async () => {
    const gate = await gateOf({ refreshSeconds: 60 })
    for (const path of ['/', '/open/a', '/open/b'])
      expect(await visit(gate, path)).toMatchObject({ status: 200, kept: 'public, max-age=600', cookie: '' })
    expect(asked).toEqual(['/api/v1/member-content/manifest', '/.well-known/jwks.json'])
  })

  test('sends visitors where the rule says, and answers 401 where it says nothing or nothing is read', async () => {
    await protect({ url_pattern: '/told/**', redirect_url: '/join?from=told' })
    await protect({ url_pattern: '/untold/**' })
    const gate = await gateOf()
    expect(await visit(gate, '/told/a')).toMatchObject({ status: 303, location: `${SITE}/join?from=told` })
    expect(await visit(gate, '/told/a', { method: 'POST' })).toMatchObject({ status: 401 })
    expect(await visit(gate, '/untold/a')).toMatchObject({ status: 401, kept: 'no-store' })
    expect(await visit(gate, '/untold/a', { token: 'no-token' })).toMatchObject({ status: 401 })
  })

  test('lets a member pass, who then passes without another question, and no shared cache keeps the page', async () => {
    await protect({ url_pattern: 'shop.example/members/**' })
    const gate = await gateOf({ refreshSeconds: 60 })
    const { token } = await side.signIn()
    const first = await visit(gate, '/members/a', { token })
    expect(first).toMatchObject({ status: 200, text: 'the page', kept: 'private, no-cache' })
    asked = []
    const again = await visit(gate, '/members/b/c', { token, cookie: `x=1; ${first.cookie}` })
    expect([again.status, asked]).toEqual([200, []])
  })

  test('takes the grant of a member from nobody else, from no visitor, and for no other rule', async () => {
    const gold = await side.makePlan()
    await protect({ url_pattern: '/vault/**' })
    await protect({ url_pattern: '/vault/gold/**', required_plans: [gold.id] })
    const gate = await gateOf()
    const [owner, thief] = [await side.signIn(), await side.signIn()]
    const { cookie } = await visit(gate, '/vault/a', { token: owner.token })
    await side.admin.patch(`/members/${thief.memberId}`, { status: 'inactive' })
    expect(await visit(gate, '/vault/a', { token: thief.token, cookie })).toMatchObject({ status: 401 })
    expect(await visit(gate, '/vault/a', { cookie })).toMatchObject({ status: 401 })
    expect(await visit(gate, '/vault/gold/a', { token: owner.token, cookie })).toMatchObject({ status: 403 })
    const [name = '', grant = ''] = cookie.split('=')
    const broken = `${name}=${grant.slice(0, -4)}AAAA`
    expect(await visit(gate, '/vault/a', { cookie: broken })).toMatchObject({ status: 401 })
  })

  test('takes a grant of another project for none, and one that is over', async () => {
    const rule = await protect({ url_pattern: '/mine/**' })
    const gate = await gateOf()
    const own = await side.signIn()
    const foreign = await other.signIn()
    const { body } = await other
      .as(foreign.token)
      .post<{ data: { grant: string } }>('/member-content/check', { url: `${SITE}/mine/a`, grant: true })
    const cookie = `guildhall_grant_${rule.id}=${body.data.grant}`
    expect(await visit(gate, '/mine/a', { token: foreign.token, cookie })).toMatchObject({ status: 401 })
    const good = await visit(gate, '/mine/a', { token: own.token })
    const { now } = Date
    Date.now = () => now() + 66_000
    try {
      asked = []
      await visit(gate, '/mine/a', { token: own.token, cookie: good.cookie })
      expect(asked).toContain('/api/v1/member-content/check')
    } finally {
      Date.now = now
    }
  })

  test('a free view opens its own path, and no other', async () => {
    const gold = await side.makePlan()
    await protect({ url_pattern: '/free/**', required_plans: [gold.id], free_views: 1 })
    const gate = await gateOf()
    const { token } = await side.signIn()
    const { status, cookie } = await visit(gate, '/free/a', { token })
    expect(status).toBe(200)
    expect((await visit(gate, '/free/a', { token, cookie })).status).toBe(200)
    expect((await visit(gate, '/free/b', { token, cookie })).status).toBe(403)
  })

  test('knows a new rule after the interval', async () => {
    const gate = await gateOf({ refreshSeconds: 0.1 })
    expect((await visit(gate, '/soon/a')).status).toBe(200)
    await protect({ url_pattern: '/soon/**' })
    await expect.poll(async () => (await visit(gate, '/soon/a')).status).toBe(401)
  })

  test('answers 400 for an address that servers read in different ways', async () => {
    const gate = await gateOf()
    for (const path of ['/a%2f..%2fvault/a', '/vault%5ca', '/%ff'])
      expect([path, (await visit(gate, path)).status]).toEqual([path, 400])
  })

  test('while the API is away, guards what has a rule and leaves the rest open; without rules, nothing passes', async () => {
    await protect({ url_pattern: '/guarded/**' })
    let isAway = false
    const errors: unknown[] = []
    const options: Partial<GateOptions> = {
      fetch: (input, init) => (isAway ? Promise.reject(new TypeError('away')) : fetch(input, init)),
      onError: (error) => errors.push(error),
    }
    const gate = await gateOf(options)
    const { token } = await side.signIn()
    const { cookie } = await visit(gate, '/guarded/a', { token })
    isAway = true
    expect((await visit(gate, '/elsewhere')).status).toBe(200)
    expect((await visit(gate, '/guarded/a', { token, cookie })).status).toBe(200)
    expect((await visit(gate, '/guarded/a', { token })).status).toBe(503)
    expect((await visit(await gateOf(options), '/elsewhere')).status).toBe(503)
    expect(errors.length).toBeGreaterThan(2)
  })

  test('refuses rules that the installation has not signed', async () => {
    const gate = await gateOf({
      fetch: async (input, init) => {
        const answer = await fetch(input, init)
        if (!String(input).endsWith('/manifest')) return answer
        const { data } = (await answer.json()) as { data: { manifest: string; etag: string } }
        const [head, , signature] = data.manifest.split('.')
        const forged = btoa(JSON.stringify({ iss: base, aud: 'x', rules: [] })).replace(/=+$/, '')
        return Response.json({ data: { ...data, manifest: `${head}.${forged}.${signature}` } })
      },
    })
    expect((await visit(gate, '/vault/a')).status).toBe(503)
  })

  test('what the origin throws is left to the worker', async () => {
    const gate = await gateOf()
    const failing = () => gate.handle(new Request(`${SITE}/open`), () => Promise.reject(new Error('origin')))
    await expect(failing()).rejects.toThrow('origin')
  })
})
