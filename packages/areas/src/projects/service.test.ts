import { expect, test } from 'vitest'
import { toId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
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
  await expect(create(input)).rejects.toMatchObject({ status: 422, details: [{ field }] })
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

test('a project has a language that certificates have, and an address of them that holds their code', async () => {
  const { id } = await create({ name: 'Sprachen', tier: 'free' })
  const change = (changes: object) => updateSettings(api.operators, id, 'live', changes)
  expect(await change({})).toMatchObject({ language: 'en', certificate_url: null })
  const certificateUrl = 'https://school.example.com/verify?code={code}'
  expect(await change({ language: 'de', certificateUrl })).toMatchObject({
    language: 'de',
    certificate_url: certificateUrl,
  })
  expect(await change({ certificateUrl: '' })).toMatchObject({ language: 'de', certificate_url: null })
  for (const [changes, field] of [
    [{ language: 'tlh' }, 'language'],
    [{ certificateUrl: 'https://school.example.com/{id}' }, 'certificate_url'],
    [{ certificateUrl: 'javascript:{code}' }, 'certificate_url'],
  ] as const)
    await expect(change(changes)).rejects.toMatchObject({ status: 422, details: [{ field }] })
})

test('roles, thresholds and addresses of a community are taken, and nothing that is none', async () => {
  const { id } = await create({ name: 'Community', tier: 'free' })
  const change = (changes: object) => updateSettings(api.operators, id, 'live', changes)
  expect(await change({})).toMatchObject({
    ...{
      moderator_roles: ['admin', 'moderator'],
      report_threshold: 3,
      discussion_url: null,
      feedback_url: null,
    },
  })
  const discussionUrl = 'https://forum.example.com/d/{id}?from=mail'
  expect(await change({ moderatorRoles: ['chief'], reportThreshold: 5, discussionUrl })).toMatchObject({
    ...{ moderator_roles: ['chief'], report_threshold: 5, discussion_url: discussionUrl, feedback_url: null },
  })
  expect(await change({ discussionUrl: '' })).toMatchObject({ report_threshold: 5, discussion_url: null })
  const wrong: [object, string][] = [
    [{ moderatorRoles: ['chief', 'member'] }, 'moderator_roles[1]'],
    [{ moderatorRoles: ['The Chief'] }, 'moderator_roles[0]'],
    [{ moderatorRoles: Array.from({ length: 21 }, (_, i) => `role${i}`) }, 'moderator_roles'],
    [{ reportThreshold: 0 }, 'report_threshold'],
    [{ reportThreshold: 1001 }, 'report_threshold'],
    [{ discussionUrl: 'https://forum.example.com/' }, 'discussion_url'],
    [{ discussionUrl: 'https://forum.example.com/{id}/{id}' }, 'discussion_url'],
    [{ feedbackUrl: 'javascript:alert({id})' }, 'feedback_url'],
    [{ displayNameFrom: 'email' }, 'display_name_from'],
    [{ profileFields: ['bio', 'email'] }, 'profile_fields[1]'],
  ]
  for (const [changes, field] of wrong)
    await expect(change(changes)).rejects.toMatchObject({ status: 422, details: [{ field }] })
})
