import { describe, expect, test } from 'vitest'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { parseId } from '#platform/ids.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { ruleId } from '../ids.ts'
import type { FullRule, NewRule, Rule } from '../schema.ts'

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

let side: Side
let other: Side

withProjects((_api, one, two) => {
  side = one.live
  other = two.live
})

const changePattern = defineQuery('change_pattern_in_a_test', (v: { id: string; pattern: string }) =>
  query.updateTable('content_rules').set({ url_pattern: v.pattern }).where('id', '=', v.id),
)
const protect = async (rule: NewRule, from: Side = side) =>
  (await from.admin.post<Created>('/member-content', rule)).body.content
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

  test('a pattern has at most 128 segments in all ways in which it can be read', async () => {
    const make = (url_pattern: string) =>
      side.admin.post<Refused & Partial<Created>>('/member-content', { url_pattern })
    for (const pattern of [`/${'s/'.repeat(127)}*`, `/a**b/c**d/e**f/${'s/'.repeat(9)}g`]) {
      const made = await make(pattern)
      expect([pattern, made.status]).toEqual([pattern, 201])
      await side.admin.delete(`/member-content/${made.body.content?.id}`)
    }
    for (const pattern of [`/${'s/'.repeat(128)}*`, `/a**b/c**d/e**f/${'s/'.repeat(16)}g`]) {
      const { status, body } = await make(pattern)
      expect([pattern, status]).toEqual([pattern, 422])
      expect(JSON.stringify(body.details)).toContain('must have at most 128 segments')
    }
  })

  test('a pattern has at most ten wildcards; one from before that limit goes on to work', async () => {
    const wild = (count: number) => `/old${'/a/*'.repeat(count)}`
    expect((await side.admin.post('/member-content', { url_pattern: wild(10) })).status).toBe(201)
    const answer = await side.admin.post<Refused>('/member-content', { url_pattern: wild(11) })
    expect([answer.status, answer.body.details]).toEqual([
      422,
      [{ field: 'url_pattern', rule: 'pattern', message: 'must have at most 10 wildcards (* or **)' }],
    ])
    const rule = await protect({ url_pattern: '/old/a' })
    await side.write(changePattern({ id: parseId(ruleId, rule.id) ?? '', pattern: wild(30) }))
    const path = `/member-content/${rule.id}`
    expect((await side.admin.patch(path, { url_pattern: wild(30), after_days: 3 })).status).toBe(200)
    expect(await refusal(side.admin.patch(path, { url_pattern: wild(31) }))).toEqual([
      ...[422, 'VALIDATION_ERROR', 'url_pattern'],
    ])
    await side.admin.delete(path)
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
    expect(refusalOf(await side.admin.get(path))).toBe('404 NOT_FOUND')
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
        'required_plans[0]',
      ])
    for (const redirect_url of ['javascript:alert(1)', '//evil.example', 'join', '/a b', '/\\evil.example'])
      expect((await bad({ url_pattern: '/a', redirect_url }))[2]).toBe('redirect_url')
    const rule = await protect({ url_pattern: '/needs', required_plans: [plan.id] })
    expect((await refusal(side.admin.delete(`/plans/${plan.id}`))).slice(0, 2)).toEqual([422, 'PLAN_IN_USE'])
    await side.admin.delete(`/member-content/${rule.id}`)
    expect((await side.admin.delete(`/plans/${plan.id}`)).status).toBe(200)
  })
})
