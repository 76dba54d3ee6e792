import { compactVerify, createLocalJWKSet, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'
import type { Check, Decision, Explanation, NewRule, Rule } from '../schema.ts'

interface Created {
  success: boolean
  content: Rule
}

let api: TestApi
let side: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
})

const protect = async (rule: NewRule) =>
  (await side.admin.post<Created>('/member-content', rule)).body.content
const ask = async (check: Check) =>
  (await side.admin.post<{ data: Decision }>('/member-content/check', check)).body.data

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
    await within(1_000, async () => {
      const now = await get(headers.etag)
      expect(now.status).toBe(200)
      expect(now.headers.etag).not.toBe(headers.etag)
    })
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
    expect(refusalOf(await side.as(grant).get('/user/profile'))).toBe('401 INVALID_TOKEN')
    await side.admin.delete(`/member-content/${rule.id}`)
  })

  test('rules that fit into no answer have no manifest, and of those that match a page a thousand are explained', async () => {
    // Each address has 2,000 characters; 3,000 of them are more than 2 MiB.
    await api.owner.query(
      `insert into content_rules (project_id, id, url_pattern, redirect_url, created_at, updated_at)
       select $1, gen_random_uuid(), '/large/**', '/' || repeat('x', 1999), now(), now() from generate_series(1, 3000)`,
      [side.projectId],
    )
    await within(1_000, async () => {
      const { status, body } = await side.admin.get<{ code: string }>('/member-content/manifest')
      expect([status, body.code]).toEqual([422, 'MANIFEST_TOO_LARGE'])
    })
    const explained = (
      await side.admin.post<{ data: Explanation }>('/member-content/explain', { url: '/large/a' })
    ).body.data
    expect([explained.matches, explained.rules.length, explained.rules[0]?.decides]).toEqual([
      3_000,
      1_000,
      true,
    ])
    await api.owner.query("delete from content_rules where project_id = $1 and url_pattern = '/large/**'", [
      side.projectId,
    ])
    await within(1_000, async () => {
      expect((await side.admin.get('/member-content/manifest')).status).toBe(200)
    })
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
    expect(decision).toEqual({
      ...{ host: 'example.com', path: '/why/not', matches: 2 },
      ...{ allowed: true, reason: 'allowed' },
    })
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
