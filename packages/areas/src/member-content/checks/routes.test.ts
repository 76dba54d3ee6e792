import { describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'
import type { Check, Decision, NewRule, Rule } from '../schema.ts'

interface Created {
  success: boolean
  content: Rule
}
interface Refused {
  code: string
  details?: { field: string }[]
}

let api: TestApi
let side: Side
let other: Side
/** The side whose clock is moved. */
let clocked: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
  clocked = one.test
})

const protect = async (rule: NewRule) =>
  (await side.admin.post<Created>('/member-content', rule)).body.content
const ask = async (check: Check, client: Client = side.admin) =>
  (await client.post<{ data: Decision }>('/member-content/check', check)).body.data
const refusal = async (answer: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await answer
  const { code, details } = body as Refused
  return [status, code, details?.[0]?.field]
}

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

  test('counts the days of a member, and a month of free views, by the clock of the test side', async () => {
    const gold = await clocked.makePlan()
    for (const rule of [
      { url_pattern: '/week', required_plans: [], after_days: 7 },
      { url_pattern: '/month/**', required_plans: [gold.id], free_views: 1 },
    ])
      expect((await clocked.admin.post('/member-content', rule)).status).toBe(201)
    await advance(clocked, { days: 365 })
    const member_id = (await clocked.makeMember()).id
    const look = async (url: string) => (await ask({ url, member_id }, clocked.admin)).reason
    expect(await look('/week')).toBe('too_new')
    await advance(clocked, { days: 6, hours: 23 })
    expect(await look('/week')).toBe('too_new')
    await advance(clocked, { hours: 1 })
    expect(await look('/week')).toBe('allowed')
    const toNextMonth = async () => {
      const now = new Date(await timeOf(clocked))
      const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
      return (next - now.getTime()) / 1_000
    }
    await advance(clocked, { seconds: await toNextMonth() })
    expect([await look('/month/1'), await look('/month/2')]).toEqual(['allowed', 'free_views_used'])
    await advance(clocked, { seconds: (await toNextMonth()) - 3_600 })
    expect(await look('/month/2')).toBe('free_views_used')
    await advance(clocked, { hours: 2 })
    expect([await look('/month/2'), await look('/month/1')]).toEqual(['allowed', 'free_views_used'])
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
      const answersSoon = (expected: string) =>
        within(1_000, async () => expect(await elsewhere()).toBe(expected))
      expect(await elsewhere()).toBe('public')
      const rule = await protect({ url_pattern: '/change' })
      await answersSoon('login_required')
      await side.admin.patch(`/member-content/${rule.id}`, { is_active: false })
      await answersSoon('public')
      await side.admin.patch(`/member-content/${rule.id}`, { is_active: true })
      await answersSoon('login_required')
      await second.deps.feed.close()
      await side.admin.delete(`/member-content/${rule.id}`)
      await answersSoon('public')
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
    expect((await refusal(side.admin.post('/member-content/check/batch', many))).slice(0, 2)).toEqual([
      422,
      'VALIDATION_ERROR',
    ])
    await side.admin.delete(`/member-content/${rule.id}`)
  })
})
