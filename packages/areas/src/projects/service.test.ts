import { expect, test } from 'vitest'
import { updateAnalyticsSettings } from '#areas/analytics/settings.ts'
import { updateDiscussionSettings } from '#areas/discussions/settings.ts'
import { updateFeedbackSettings } from '#areas/feedback/settings.ts'
import { updateCertificateSettings } from '#areas/lms/certificates/settings.ts'
import { updateProfileSettings } from '#areas/profiles/settings.ts'
import type { Context } from '#platform/db/tenant.ts'
import { toId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withApi } from '#testkit/with-api.ts'
import {
  createProject,
  getProject,
  listProjects,
  type NewProject,
  tenantOf,
  updateSettings,
} from './service.ts'

let api: TestApi
withApi((opened) => {
  api = opened
})

const create = (input: NewProject) => createProject(api.operators, input)

test('a project is one to operators and two tenants to the data, each with a free default plan', async () => {
  const project = await create({ name: 'Ångström & Söhne', tier: 'pro' })
  expect(project).toEqual({
    id: expect.stringMatching(/^proj_[0-9a-z]{26}$/),
    name: 'Ångström & Söhne',
    tier: 'pro',
    rate_limit: 300,
    state: 'active',
    idle_minutes: null,
    live_audience: project.id,
    test_audience: expect.stringMatching(/^proj_[0-9a-z]{26}$/),
    created_at: expect.any(String),
  })
  expect(await getProject(api.operators, project.id)).toEqual(project)
  const tenants = [
    await tenantOf(api.operators, project.id, 'live'),
    await tenantOf(api.operators, project.id, 'test'),
  ]
  expect(new Set(tenants).size).toBe(2)
  expect([project.live_audience, project.test_audience]).toEqual(tenants.map((id) => toId('project', id)))
  for (const tenant of tenants) {
    const { rows } = await api.owner.query(
      'select slug, is_default, status, visibility from plans where project_id = $1',
      [tenant],
    )
    expect(rows).toEqual([{ slug: 'free', is_default: true, status: 'active', visibility: 'public' }])
  }
})

test('projects are listed once each, the oldest first', async () => {
  const made = [await create({ name: 'First', tier: 'free' }), await create({ name: 'Second', tier: 'free' })]
  const listed = await listProjects(api.operators)
  expect(listed.slice(-2)).toEqual(made)
})

test('a limit of its own goes before the tier’s', async () => {
  expect((await create({ name: 'Own', tier: 'free', rateLimit: 7 })).rate_limit).toBe(7)
  expect((await create({ name: 'Big', tier: 'enterprise' })).rate_limit).toBe(10_000)
})

test.for<[string, NewProject, string]>([
  ['no name', { name: '', tier: 'free' }, 'name'],
  ['a name of 121 characters', { name: 'x'.repeat(121), tier: 'free' }, 'name'],
  ['an unknown tier', { name: 'X', tier: 'gold' }, 'tier'],
  ['a limit of nothing', { name: 'X', tier: 'free', rateLimit: 0 }, 'rate_limit'],
  ['a broken limit', { name: 'X', tier: 'free', rateLimit: 1.5 }, 'rate_limit'],
  ['a limit beyond all numbers', { name: 'X', tier: 'free', rateLimit: 1e12 }, 'rate_limit'],
])('a project with %s is not made, not even half', async ([, input, field]) => {
  const before = (await api.owner.query('select from projects')).rowCount
  await expect(create(input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] })
  expect((await api.owner.query('select from projects')).rowCount).toBe(before)
})

test('a project that does not exist is not found, whatever names it', async () => {
  const { id } = await create({ name: 'Named', tier: 'free' })
  const testSide = await tenantOf(api.operators, id, 'test')
  for (const name of ['proj_01jcq3k8f7e8qtk4m3hbw7rn2d', 'none', testSide, '']) {
    await expect(getProject(api.operators, name)).rejects.toMatchObject({ status: 404 })
    await expect(tenantOf(api.operators, name, 'live')).rejects.toMatchObject({ status: 404 })
  }
})

test('a project has a language and roles of moderators, and none that are none', async () => {
  const { id } = await create({ name: 'Sprachen', tier: 'free' })
  const change = (changes: object) => updateSettings(api.operators, id, 'live', changes)
  expect(await change({})).toMatchObject({ language: 'en', moderator_roles: ['admin', 'moderator'] })
  expect(await change({ language: 'de' })).toMatchObject({ language: 'de' })
  const roles = { moderatorRoles: ['chief'] }
  expect(await change(roles)).toMatchObject({ language: 'de', moderator_roles: ['chief'] })
  for (const [changes, field] of [
    [{ language: 'tlh' }, 'language'],
    [{ moderatorRoles: ['chief', 'member'] }, 'moderator_roles[1]'],
    [{ moderatorRoles: ['The Chief'] }, 'moderator_roles[0]'],
    [{ moderatorRoles: Array.from({ length: 21 }, (_, i) => `role${i}`) }, 'moderator_roles'],
  ] as const)
    await expect(change(changes)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] })
})

/** The settings of areas: how each is changed, values that fit, and values that do not, by their field. */
const AREAS: Readonly<
  Record<string, [(ctx: Context, changes: object) => Promise<object>, object, object, object]>
> = {
  analytics: [
    updateAnalyticsSettings,
    { respect_do_not_track: false, analytics_retention_months: 24 },
    { respectDoNotTrack: true, analyticsRetentionMonths: 6 },
    { respect_do_not_track: true, analytics_retention_months: 6 },
  ],
  discussions: [
    updateDiscussionSettings,
    { report_threshold: 3, discussion_url: null },
    { reportThreshold: 5, discussionUrl: 'https://forum.example.com/d/{id}?from=mail' },
    { report_threshold: 5, discussion_url: 'https://forum.example.com/d/{id}?from=mail' },
  ],
  feedback: [
    updateFeedbackSettings,
    { feedback_url: null },
    { feedbackUrl: 'https://board.example.com/{id}' },
    { feedback_url: 'https://board.example.com/{id}' },
  ],
  profiles: [
    updateProfileSettings,
    {
      profiles_public: false,
      display_name_from: 'none',
      profile_fields: ['avatar_url', 'bio', 'badges', 'member_since'],
    },
    { profilesPublic: true, displayNameFrom: 'full_name', profileFields: [] },
    { profiles_public: true, display_name_from: 'full_name', profile_fields: [] },
  ],
  certificates: [
    updateCertificateSettings,
    { certificate_url: null },
    { certificateUrl: 'https://school.example.com/verify?code={code}' },
    { certificate_url: 'https://school.example.com/verify?code={code}' },
  ],
}

test.each(Object.entries(AREAS))(
  'settings of %s are the defaults until they are set, one by one or together, in this project alone',
  async (_, [update, defaults, changes, changed]) => {
    const [{ live: side }, { live: other }] = await makeProjects(api)
    const change = (at: Side, some: object) => at.write((ctx) => update(ctx, some))
    expect(await change(side, {})).toEqual(defaults)
    const set: Record<string, unknown> = { ...defaults }
    for (const [n, [name, value]] of Object.entries(changes).entries()) {
      const [column = ''] = Object.keys(changed).slice(n)
      set[column] = Object.values(changed)[n]
      expect(await change(side, { [name]: value })).toEqual(set)
    }
    expect(await change(other, {})).toEqual(defaults)
    expect(await change(other, changes)).toEqual(changed)
    const urls = Object.keys(changes).filter((name) => name.endsWith('Url'))
    for (const name of urls) {
      const [[column]] = Object.entries(defaults).filter(([, value]) => value === null) as [[string, null]]
      expect(await change(side, { [name]: '' })).toEqual({ ...changed, [column]: null })
    }
  },
)

test.each<[string, (ctx: Context, changes: object) => Promise<object>, object]>([
  ['analytics_retention_months', updateAnalyticsSettings, { analyticsRetentionMonths: 121 }],
  ['report_threshold', updateDiscussionSettings, { reportThreshold: 0 }],
  ['report_threshold', updateDiscussionSettings, { reportThreshold: 1001 }],
  ['discussion_url', updateDiscussionSettings, { discussionUrl: 'https://forum.example.com/' }],
  ['discussion_url', updateDiscussionSettings, { discussionUrl: 'https://forum.example.com/{id}/{id}' }],
  ['feedback_url', updateFeedbackSettings, { feedbackUrl: 'javascript:alert({id})' }],
  ['display_name_from', updateProfileSettings, { displayNameFrom: 'email' }],
  ['profile_fields[1]', updateProfileSettings, { profileFields: ['bio', 'email'] }],
  ['certificate_url', updateCertificateSettings, { certificateUrl: 'https://school.example.com/{id}' }],
  ['certificate_url', updateCertificateSettings, { certificateUrl: 'javascript:{code}' }],
])('a setting of an area that does not fit is refused by its field: %s', async (field, update, changes) => {
  const [{ live }] = await makeProjects(api)
  const refused = live.write((ctx) => update(ctx, changes))
  await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] })
})
