import { compactVerify, createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { type Client, makeProjects, type Side } from '#testkit/factories.ts'
import type { Check, Decision, Explanation, FullRule, NewRule, Rule } from './schema.ts'

interface Created {
  success: boolean
  content: Rule
}
interface One {
  data: FullRule
}
interface Refused {
  code: string
  details?: { field: string }[]
}

let api: TestApi
let side: Side
let other: Side

beforeAll(async () => {
  api = await startApi()
  const [one, two] = await makeProjects(api)
  side = one.live
  other = two.live
})
afterAll(() => api.close())

const protect = async (rule: NewRule, from: Side = side) =>
  (await from.admin.post<Created>('/member-content', rule)).body.content
const ask = async (check: Check, client: Client = side.admin) =>
  (await client.post<{ data: Decision }>('/member-content/check', check)).body.data
const refusal = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  const { code, details } = body as Refused
  return [status, code, details?.[0]?.field]
}

describe('rules', () => {
  test('POST answers the reference’s fields and no others; GET answers all', async () => {
    const plan = await side.makePlan()
    const input = {
      url_pattern: '/a/**',
      required_plans: [plan.id],
      redirect_url: 'https://example.com/join',
    }
    const { status, body } = await side.admin.post<Created>('/member-content', {
      ...input,
      features: ['downloads'],
      after_days: 7,
      free_views: 3,
    })
    expect(status).toBe(201)
    const { id, created_at } = body.content
    expect(body).toEqual({ success: true, content: { id, ...input, is_active: true, created_at } })
    const { data } = (await side.admin.get<One>(`/member-content/${id}`)).body
    const more = { features: ['downloads'], after_days: 7, free_views: 3, updated_at: data.updated_at }
    expect(data).toEqual({ ...body.content, ...more })
    await side.admin.delete(`/member-content/${id}`)
  })

  test('PATCH changes what is given and nothing else; null takes back', async () => {
    const plans = [await side.makePlan(), await side.makePlan()].map(({ id }) => id).reverse()
    const rule = await protect({ url_pattern: '/b', after_days: 2, redirect_url: '/join' })
    const path = `/member-content/${rule.id}`
    const changed = (await side.admin.patch<One>(path, { required_plans: plans, after_days: null })).body.data
    expect(changed).toMatchObject({ url_pattern: '/b', after_days: null, redirect_url: '/join' })
    expect(changed.required_plans).toEqual(plans)
    const { data } = (await side.admin.patch<One>(path, { url_pattern: '/c', redirect_url: null })).body
    expect(data).toMatchObject({ url_pattern: '/c', redirect_url: null, required_plans: plans })
    expect((await side.admin.patch<One>(path, {})).body.data).toEqual(data)
    await side.admin.delete(path)
    expect((await side.admin.get(path)).status).toBe(404)
  })

  test('GET lists them in pages, the newest first, by whether they protect', async () => {
    const ids: string[] = []
    for (const is_active of [true, false, true])
      ids.push((await protect({ url_pattern: '/list', is_active }, other)).id)
    const list = async (query: string) => {
      const { body } = await other.admin.get<{ data: Rule[]; pagination: { total: number } }>(
        `/member-content${query}`,
      )
      return [body.data.map(({ id }) => ids.indexOf(id)), body.pagination.total]
    }
    expect(await list('')).toEqual([[2, 1, 0], 3])
    expect(await list('?is_active=true&limit=1&page=2')).toEqual([[0], 2])
    expect(await list('?is_active=false')).toEqual([[1], 1])
  })

  test('a pattern that is none is refused, as is another project’s plan, and a plan that a rule requires stays', async () => {
    const plan = await side.makePlan()
    const foreign = await other.makePlan()
    const bad = (rule: object) => refusal(side.admin.post('/member-content', rule))
    expect(await bad({ url_pattern: 'members' })).toEqual([422, 'VALIDATION_ERROR', 'url_pattern'])
    for (const id of [foreign.id, 'plan_x', (await side.makeMember()).id])
      expect(await bad({ url_pattern: '/a', required_plans: [id] })).toEqual([
        422,
        'VALIDATION_ERROR',
        'required_plans',
      ])
    for (const redirect_url of ['javascript:alert(1)', '//evil.example', 'join', '/a b', '/\\evil.example'])
      expect((await bad({ url_pattern: '/a', redirect_url }))[2]).toBe('redirect_url')
    const rule = await protect({ url_pattern: '/needs', required_plans: [plan.id] })
    expect((await refusal(side.admin.delete(`/plans/${plan.id}`))).slice(0, 2)).toEqual([422, 'PLAN_IN_USE'])
    await side.admin.delete(`/member-content/${rule.id}`)
    expect((await side.admin.delete(`/plans/${plan.id}`)).status).toBe(200)
  })
})

describe('POST /member-content/check', () => {
  test('gives the reason for every kind of visitor', async () => {
    const gold = await side.makePlan({ features: ['downloads'] })
    const rules = {
      plan: await protect({ url_pattern: '/plan/**', required_plans: [gold.id], redirect_url: '/join' }),
      any: await protect({ url_pattern: '/any' }),
      feature: await protect({ url_pattern: '/feature', features: ['downloads'] }),
      old: await protect({ url_pattern: '/old', after_days: 1 }),
      off: await protect({ url_pattern: '/off', is_active: false }),
    }
    const free = (await side.makeMember()).id
    const paying = (await side.makeMember({ plan_id: gold.id })).id
    const gone = (await side.makeMember({ status: 'inactive', plan_id: gold.id })).id
    const reason = async (url: string, member_id?: string) =>
      (await ask({ url, ...(member_id && { member_id }) })).reason
    expect(await ask({ url: 'https://example.com/plan/a?x', member_id: free })).toEqual({
      allowed: false,
      reason: 'plan_required',
      rule_id: rules.plan.id,
      required_plans: [gold.id],
      redirect_url: '/join',
    })
    expect(await ask({ url: '/plan/a', member_id: paying })).toEqual({
      allowed: true,
      reason: 'allowed',
      rule_id: rules.plan.id,
      required_plans: [gold.id],
      redirect_url: null,
    })
    expect(await ask({ url: '/elsewhere' })).toEqual({
      allowed: true,
      reason: 'public',
      rule_id: null,
      required_plans: [],
      redirect_url: null,
    })
    expect(await Promise.all(['/plan/a', '/any', '/off'].map((url) => reason(url)))).toEqual([
      ...['login_required', 'login_required', 'public'],
    ])
    expect(await Promise.all(['/any', '/feature', '/old'].map((url) => reason(url, free)))).toEqual([
      ...['allowed', 'feature_required', 'too_new'],
    ])
    expect(await reason('/feature', paying)).toBe('allowed')
    await api.owner.query(
      "update members set created_at = now() - interval '25 hours' where email like 'member%'",
    )
    expect(await reason('/old', free)).toBe('allowed')
    expect(await Promise.all(['/plan/a', '/any', '/off'].map((url) => reason(url, gone)))).toEqual([
      ...['inactive', 'inactive', 'public'],
    ])
    expect(await reason('/plan/%2e%2e/a', paying)).toBe('invalid_url')
    for (const { id } of Object.values(rules)) await side.admin.delete(`/member-content/${id}`)
  })

  test('knows nobody of another project, and a token or a public key speaks for itself alone', async () => {
    const unknown = { url: '/x', member_id: (await other.makeMember()).id }
    for (const check of [unknown, { ...unknown, member_id: 'mem_x' }])
      expect(await refusal(side.admin.post('/member-content/check', check))).toEqual([
        422,
        'MEMBER_NOT_FOUND',
        'member_id',
      ])
    const rule = await protect({ url_pattern: '/own' })
    const { memberId, token } = await side.signIn()
    expect((await ask({ url: '/own' }, side.as(token))).reason).toBe('allowed')
    expect((await ask({ url: '/own', member_id: memberId }, side.as(token))).reason).toBe('allowed')
    const another = { url: '/own', member_id: (await side.makeMember()).id }
    expect((await refusal(side.as(token).post('/member-content/check', another)))[0]).toBe(403)
    const visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['access'] })).key)
    expect((await ask({ url: '/own' }, visitor)).reason).toBe('login_required')
    expect((await refusal(visitor.post('/member-content/check', another)))[0]).toBe(403)
    expect((await refusal(visitor.get('/member-content')))[0]).toBe(403)
    expect((await ask({ url: '/own' }, other.admin)).reason).toBe('public')
    await side.admin.delete(`/member-content/${rule.id}`)
  })

  test('counts free views per distinct path; the last one goes to one of many at once', async () => {
    const gold = await side.makePlan()
    const rule = await protect({ url_pattern: '/free/**', required_plans: [gold.id], free_views: 3 })
    const member_id = (await side.makeMember()).id
    const look = async (url: string) => (await ask({ url, member_id })).reason
    const reasons = await Promise.all(Array.from({ length: 8 }, (_, i) => look(`/free/${i}`)))
    expect(reasons.toSorted()).toEqual([...Array(3).fill('allowed'), ...Array(5).fill('free_views_used')])
    const seen = reasons.indexOf('allowed')
    expect(await look(`https://example.com/free/${seen}/?again`)).toBe('allowed')
    expect(await look('/free/new')).toBe('free_views_used')
    expect((await ask({ url: '/free/new' })).reason).toBe('login_required')
    await api.owner.query("update content_free_views set month = month - interval '1 month'")
    expect(await look('/free/new')).toBe('allowed')
    await side.admin.delete(`/member-content/${rule.id}`)
  })

  test('of a changed rule answers by the change within a second, in another process too', async () => {
    const second = await startApi({ database: api.database })
    try {
      const elsewhere = async () => {
        const { body } = await second.send<{ data: Decision }>('POST', '/api/v1/member-content/check', {
          key: side.key,
          body: { url: '/change' },
        })
        return body.data.reason
      }
      const within = async (expected: string) => {
        const started = performance.now()
        while ((await elsewhere()) !== expected) expect(performance.now() - started).toBeLessThan(1_000)
      }
      expect(await elsewhere()).toBe('public')
      const rule = await protect({ url_pattern: '/change' })
      await within('login_required')
      await side.admin.patch(`/member-content/${rule.id}`, { is_active: false })
      await within('public')
      await side.admin.patch(`/member-content/${rule.id}`, { is_active: true })
      await within('login_required')
      await second.deps.feed.close()
      await side.admin.delete(`/member-content/${rule.id}`)
      await within('public')
      // Nothing is believed by now: rules are looked up for each request.
      const next = await protect({ url_pattern: '/change' })
      expect(second.deps.feed.isLive()).toBe(false)
      expect(await elsewhere()).toBe('login_required')
      await side.admin.delete(`/member-content/${next.id}`)
    } finally {
      await second.close()
    }
  })

  test('batch answers each check like one alone, in their order', async () => {
    const rule = await protect({ url_pattern: '/batch/*' })
    const member_id = (await side.makeMember()).id
    const checks = [{ url: '/batch/a' }, { url: '/batch/a', member_id }, { url: '/b\\a' }, { url: '/b' }]
    const { body } = await side.admin.post<{ data: Decision[] }>('/member-content/check/batch', { checks })
    expect(body.data.map(({ reason }) => reason)).toEqual([
      'login_required',
      'allowed',
      'invalid_url',
      'public',
    ])
    const lost = { checks: [...checks, { url: '/b', member_id: (await other.makeMember()).id }] }
    expect(await refusal(side.admin.post('/member-content/check/batch', lost))).toEqual([
      ...[422, 'MEMBER_NOT_FOUND', 'checks[4].member_id'],
    ])
    const many = { checks: Array.from({ length: 101 }, () => ({ url: '/b' })) }
    expect((await refusal(side.admin.post('/member-content/check/batch', many)))[0]).toBe(422)
    await side.admin.delete(`/member-content/${rule.id}`)
  })
})

describe('edges', () => {
  const keys = async () => {
    const { body } = await api.send<Parameters<typeof createLocalJWKSet>[0]>('GET', '/.well-known/jwks.json')
    return createLocalJWKSet(body)
  }

  test('the manifest has all active rules, signed, and answers 304 while they stay what they are', async () => {
    const rule = await protect({ url_pattern: '/edge/**', after_days: 3 })
    const off = await protect({ url_pattern: '/edge/off', is_active: false })
    const get = (etag?: string) =>
      side.admin.get<{ data: { manifest: string; etag: string } } | undefined>('/member-content/manifest', {
        ...(etag && { headers: { 'if-none-match': etag } }),
      })
    const { body, headers } = await get()
    const { payload, protectedHeader } = await compactVerify(body?.data.manifest ?? '', await keys())
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'content-manifest+jws' })
    const { rules } = JSON.parse(new TextDecoder().decode(payload))
    expect(rules).toEqual([expect.objectContaining({ id: rule.id, url_pattern: '/edge/**', after_days: 3 })])
    const again = await get(headers.etag)
    expect([again.status, again.body, again.headers.etag]).toEqual([304, undefined, headers.etag])
    await side.admin.patch(`/member-content/${off.id}`, { is_active: true })
    let now = await get(headers.etag)
    for (const started = performance.now(); now.status === 304; now = await get(headers.etag))
      expect(performance.now() - started).toBeLessThan(1_000)
    expect(now.headers.etag).not.toBe(headers.etag)
    for (const { id } of [rule, off]) await side.admin.delete(`/member-content/${id}`)
  })

  test('a grant is signed, of its own type, for 60 seconds, and given only where asked for and allowed', async () => {
    const rule = await protect({ url_pattern: 'example.com/grant/**' })
    const member_id = (await side.makeMember()).id
    const url = 'https://example.com/grant/a?b'
    expect((await ask({ url, member_id })).grant).toBeUndefined()
    expect((await ask({ url, grant: true })).grant).toBeUndefined()
    const { grant = '' } = await ask({ url, member_id, grant: true })
    const { payload, protectedHeader } = await jwtVerify(grant, await keys(), { typ: 'page-grant+jwt' })
    expect(protectedHeader.alg).toBe('ES256')
    expect(payload).toMatchObject({
      sub: member_id,
      rule_id: rule.id,
      covers: 'rule',
      host: 'example.com',
      path: '/grant/a',
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(60)
    expect((await refusal(side.as(grant).get('/user/profile')))[0]).toBe(401)
    await side.admin.delete(`/member-content/${rule.id}`)
  })

  test('explain tells every rule that matched, in order, and why', async () => {
    const gold = await side.makePlan()
    const wide = await protect({ url_pattern: '/why/**', required_plans: [gold.id], free_views: 1 })
    const exact = await protect({ url_pattern: '/why/not' })
    const off = await protect({ url_pattern: '/why/*', is_active: false })
    const member_id = (await side.makeMember()).id
    const why = async (url: string) =>
      (await side.admin.post<{ data: Explanation }>('/member-content/explain', { url, member_id })).body.data
    const { rules, ...decision } = await why('https://example.com/why/../why/not/')
    expect(decision).toEqual({ host: 'example.com', path: '/why/not', allowed: true, reason: 'allowed' })
    expect(rules.map(({ rule_id, decides, reason, match }) => [rule_id, decides, reason, match])).toEqual([
      [exact.id, true, 'allowed', 'exact'],
      [wide.id, false, 'plan_required', 'wildcard'],
    ])
    expect(await why('/a%2fb')).toMatchObject({ path: null, reason: 'invalid_url', rules: [] })
    for (let i = 0; i < 3; i++) expect((await why('/why/else')).reason).toBe('plan_required')
    expect((await ask({ url: '/why/else', member_id })).reason).toBe('allowed')
    for (const { id } of [wide, exact, off]) await side.admin.delete(`/member-content/${id}`)
  })
})
