import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { statementsOf } from '#testkit/statements.ts'
import { withProjects } from '#testkit/with-api.ts'
import { HelpCenter, search } from './help-center.fixture.ts'

// Who finds what, on every way on which an article can be met.

let api: TestApi
let side: Side
let help: HelpCenter
let category: string
const readers: Record<string, Client> = {}
/** Ids of articles, by who may read them. */
const ids: Record<string, string> = {}

/** Whom each article is for. */
const MAY_READ: Record<string, readonly string[]> = {
  key: ['public', 'members', 'internal', 'plan', 'planAndMembers', 'internalPlan'],
  withPlan: ['public', 'members', 'plan', 'planAndMembers'],
  member: ['public', 'members'],
  moderator: ['public', 'members'],
  pending: ['public', 'members'],
  visitor: ['public'],
}

withProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  help = new HelpCenter(side)
  const plan = (await side.makePlan()).id
  const signIn = async (input: object) =>
    side.as((await side.signIn((await side.makeMember(input)).id)).token)
  readers.key = side.as((await side.makeKey({ permissions: ['read:help'] })).key)
  readers.withPlan = await signIn({ plan_id: plan })
  readers.member = await signIn({})
  readers.moderator = await signIn({ role: 'moderator' })
  readers.pending = await signIn({ status: 'pending' })
  readers.visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
  category = await help.category('Gates')
  const gates: Record<string, object> = {
    public: {},
    members: { visibility: 'members' },
    internal: { visibility: 'internal' },
    plan: { required_plans: [plan] },
    planAndMembers: { visibility: 'members', required_plans: [plan] },
    internalPlan: { visibility: 'internal', required_plans: [plan] },
  }
  for (const [name, gate] of Object.entries(gates))
    ids[name] = (
      await help.article({
        title: `Gatekeeping ${name}`,
        content: `The zebra of ${name}`,
        labels: ['gated'],
        category_id: category,
        ...gate,
      })
    ).id
  await new HelpCenter(two.live).article({ title: 'Gatekeeping elsewhere', labels: ['gated'] })
})

const namesOf = (found: { id: string }[]) =>
  found.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id)).sort()

describe.each(Object.keys(MAY_READ))('a reader (%s)', (who) => {
  const reader = () => readers[who] as Client
  const allowed = [...(MAY_READ[who] ?? [])].sort()

  test('opens what is for them; the rest is missing', async () => {
    for (const [name, id] of Object.entries(ids)) {
      const { status } = await reader().get(`/help/articles/${id}`)
      expect([name, status]).toEqual([name, allowed.includes(name) ? 200 : 404])
      expect((await reader().get(`/help/articles/gatekeeping-${name.toLowerCase()}`)).status).toBe(status)
    }
  })

  test('finds, lists and counts that alone', async () => {
    const found = await search(reader(), 'zebra')
    expect([namesOf(found.data), found.pagination.total]).toEqual([allowed, allowed.length])
    const typo = await search(reader(), 'gatekeping')
    expect([namesOf(typo.data), typo.pagination.total]).toEqual([allowed, allowed.length])
    for (const query of ['', `?category_id=${category}`, '?label=gated', '?locale=en', '?status=published']) {
      const { body } = await reader().get<{ data: { id: string }[]; pagination: { total: number } }>(
        `/help/articles${query}`,
      )
      expect([query, namesOf(body.data), body.pagination.total]).toEqual([query, allowed, allowed.length])
    }
    const { body } = await reader().get(`/help/categories/${category}`)
    expect(body).toMatchObject({ data: { article_count: allowed.length } })
    const pages = await search(reader(), 'zebra', '&limit=1&page=2')
    expect(pages.data).toHaveLength(allowed.length > 1 ? 1 : 0)
  })

  test('is shown nothing else beside an article', async () => {
    const { body } = await reader().get<{ data: { id: string }[] }>(`/help/articles/${ids.public}/related`)
    expect(namesOf(body.data)).toEqual(allowed.filter((name) => name !== 'public'))
  })

  test('votes for nothing else', async () => {
    if (who === 'key' || who === 'visitor' || who === 'pending') return
    for (const [name, id] of Object.entries(ids)) {
      const { status } = await reader().put(`/help/articles/${id}/vote`, { helpful: true })
      expect([name, status]).toEqual([name, allowed.includes(name) ? 200 : 404])
    }
  })
})

test('drafts, versions and insights are for keys; writing is for keys that may write', async () => {
  const tries = (client: Client) => [
    client.get(`/help/articles/${ids.public}/versions`),
    client.get('/help/insights'),
  ]
  for (const who of ['member', 'withPlan', 'moderator', 'visitor'])
    for (const answer of tries(readers[who] as Client))
      expect(refusalOf(await answer)).toBe('403 INSUFFICIENT_PERMISSIONS')
  for (const answer of tries(readers.key as Client)) expect((await answer).status).toBe(200)
  const writes = (client: Client) => [
    client.post('/help/articles', { title: 'x', content: 'x' }),
    client.patch(`/help/articles/${ids.public}`, { title: 'x' }),
    client.post(`/help/articles/${ids.public}/archive`),
    client.delete(`/help/articles/${ids.public}`),
    client.post('/help/categories', { name: 'x' }),
    client.put(`/help/articles/${ids.public}/translations/de`, { title: 'x', content: 'x' }),
  ]
  for (const client of Object.values(readers))
    for (const answer of writes(client)) expect(refusalOf(await answer)).toBe('403 INSUFFICIENT_PERMISSIONS')
  expect(refusalOf(await api.send('GET', '/api/v1/help/articles'))).toBe('401 AUTH_REQUIRED')
  const bare = side.as((await side.makeKey({ type: 'public', capabilities: ['auth'] })).key)
  expect(refusalOf(await bare.get('/help/articles'))).toBe('403 INSUFFICIENT_PERMISSIONS')
})

test('a gate that closes is closed at once, everywhere', async () => {
  const { id } = await help.article({ title: 'Open today', content: 'walrus', category_id: category })
  const visitor = readers.visitor as Client
  expect((await search(visitor, 'walrus')).pagination.total).toBe(1)
  await help.change(id, { visibility: 'internal' })
  expect((await search(visitor, 'walrus')).pagination.total).toBe(0)
  expect(refusalOf(await visitor.get(`/help/articles/${id}`))).toBe('404 NOT_FOUND')
  await side.admin.delete(`/help/articles/${id}`)
})

test('a list of twenty costs as many statements as a list of one', async () => {
  for (let i = 0; i < 20; i++) await help.article({ title: `Counted ${i}`, content: 'pelican' })
  const visitor = readers.visitor as Client
  for (const path of [
    '/help/articles?',
    '/help/articles?locale=en&',
    '/help/search?q=pelican&',
    '/help/categories?',
  ]) {
    const asked = (limit: number) => statementsOf(() => visitor.get(`${path}limit=${limit}`))
    expect(await asked(20)).toBe(await asked(1))
    expect(await asked(20)).toBeGreaterThan(0)
  }
})

test('a label and a language list what has them by now', async () => {
  const { id } = await help.article({ title: 'Labelled', labels: ['one', 'two'], locale: 'en' })
  const found = async (query: string) => {
    const { body } = await side.admin.get<{ data: { id: string }[]; pagination: { total: number } }>(
      `/help/articles?limit=100&${query}`,
    )
    return [body.data.some((article) => article.id === id), body.data.length === body.pagination.total]
  }
  for (const [query, has] of [
    ['label=one', true],
    ['label=three', false],
    ['locale=en', true],
    ['locale=pt', false],
    ['label=one&locale=en', true],
    ['label=one&locale=pt', false],
  ] as const)
    expect([query, ...(await found(query))]).toEqual([query, has, true])
  await help.change(id, { labels: ['two', 'three'] })
  await help.translate(id, 'pt', 'Etiquetado')
  for (const [query, has] of [
    ['label=one', false],
    ['label=three', true],
    ['locale=pt', true],
  ] as const)
    expect([query, ...(await found(query))]).toEqual([query, has, true])
  await side.admin.delete(`/help/articles/${id}/translations/pt`)
  expect(await found('locale=pt')).toEqual([false, true])
})
