import { describe, expect, test } from 'vitest'
import type { Permission } from '#platform/keys/permissions.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Rule } from '../schema.ts'
import type { Simulate, Simulation } from './schema.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let api: TestApi
let side: Side
let other: Side

withProjects((opened, one, two) => {
  api = opened
  side = one.live
  other = two.live
})

const look = async (path: string, user_id?: string, from = side) => {
  const body = { url: `https://example.com${path}`, user_agent: FIREFOX, ...(user_id && { user_id }) }
  expect((await from.admin.post('/analytics/pageview', body)).status).toBe(200)
}
const simulate = async (draft: Simulate) => {
  const { status, body } = await side.admin.post<{ data: Simulation }>('/member-content/simulate', draft)
  expect(status).toBe(200)
  return body.data
}
const NOBODY = { members: 0, member_ids: [], views: 0, anonymous_views: 0, pages: [] }

describe('POST /member-content/simulate', () => {
  test('says who would gain or lose the pages that they looked at, and changes nothing', async () => {
    const gold = await side.makePlan()
    const free = (await side.makeMember()).id
    const paying = (await side.makeMember({ plan_id: gold.id })).id
    for (const id of [free, free, paying, undefined]) await look('/courses/pottery', id)
    await look('/about', free)
    await look('/courses/foreign', undefined, other)
    // What is older than 30 days does not count.
    await look('/courses/old', free)
    await api.owner.query(
      "update analytics_events set at = now() - interval '31 days' where path = '/courses/old'",
    )

    const pottery = { host: 'example.com', path: '/courses/pottery' }
    const made = await simulate({ url_pattern: '/courses/**', required_plans: [gold.id] })
    expect(made).toMatchObject({ views: 5, is_complete: true, gain: NOBODY })
    expect(made.lose).toEqual({
      ...{ members: 1, member_ids: [free], views: 3, anonymous_views: 1 },
      pages: [{ ...pottery, views: 3 }],
    })
    const list = await side.admin.get<{ pagination: { total: number } }>('/member-content')
    expect(list.body.pagination.total).toBe(0)
    expect(await simulate({ url_pattern: '/courses/**', is_active: false })).toMatchObject({ lose: NOBODY })

    const rule = (
      await side.admin.post<{ content: Rule }>('/member-content', {
        url_pattern: '/courses/**',
        required_plans: [gold.id],
      })
    ).body.content
    const opened = await simulate({ rule_id: rule.id, required_plans: [] })
    expect(opened.lose).toEqual(NOBODY)
    expect(opened.gain).toEqual({
      ...{ members: 1, member_ids: [free], views: 2, anonymous_views: 0 },
      pages: [{ ...pottery, views: 2 }],
    })
    const moved = await simulate({ rule_id: rule.id, url_pattern: '/about', after_days: 1 })
    expect(moved.gain).toMatchObject({ members: 1, views: 3, anonymous_views: 1 })
    expect(moved.lose).toMatchObject({ member_ids: [free], views: 1 })
  })

  test('names members only to keys that may read members: what they looked at is theirs', async () => {
    await look('/private', (await side.makeMember()).id)
    const draft = { url_pattern: '/private', after_days: 1 }
    const asKey = async (...permissions: Permission[]) => {
      const { key } = await side.makeKey({ permissions })
      const answer = await side.as(key).post<{ data: Simulation }>('/member-content/simulate', draft)
      return answer.body.data.lose
    }
    const { lose } = await simulate(draft)
    expect(lose).toMatchObject({ members: 1, member_ids: [expect.stringMatching(/^mem_/)], views: 1 })
    expect(await asKey('read:content')).toEqual({ ...lose, member_ids: [] })
    expect(await asKey('read:content', 'read:members')).toEqual(lose)
  })

  test('refuses what a rule could not be, another project’s rule and plan, and keys that may not read rules', async () => {
    const rule = (await other.admin.post<{ content: Rule }>('/member-content', { url_pattern: '/a' })).body
      .content
    const field = async (draft: object) => {
      const { status, body } = await side.admin.post('/member-content/simulate', draft)
      return [status, (body as { details?: { field: string }[] }).details?.[0]?.field]
    }
    expect(await field({})).toEqual([422, 'url_pattern'])
    expect(await field({ url_pattern: 'courses' })).toEqual([422, 'url_pattern'])
    for (const rule_id of [rule.id, 'rule_x']) expect(await field({ rule_id })).toEqual([422, 'rule_id'])
    for (const id of [(await other.makePlan()).id, 'plan_x'])
      expect(await field({ url_pattern: '/a', required_plans: [id] })).toEqual([422, 'required_plans[0]'])
    const { key } = await side.makeKey({ type: 'secret', permissions: ['read:plans'] })
    expect(refusalOf(await side.as(key).post('/member-content/simulate', { url_pattern: '/a' }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
  })
})
