import { describe, expect, test } from 'vitest'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Plan } from './schema.ts'

interface List {
  data: Plan[]
  pagination: { total: number }
}

let side: Side
/** With the capability `catalog`. */
let visitor: Client
let hidden: Plan
let archived: Plan

withProjects(async (_api, one, two) => {
  side = one.live
  await two.live.makePlan({ name: 'Of another project' })
  await side.makePlan({ name: 'Beta', slug: 'beta', rank: 20 })
  hidden = await side.makePlan({ name: 'Alpha', slug: 'alpha', rank: 30, visibility: 'hidden' })
  archived = await side.makePlan({ name: 'Gamma', slug: 'gamma', rank: 10 })
  await side.admin.post(`/plans/${archived.id}/archive`)
  visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
})

const slugs = async (client: Client, query: string) => {
  const { data, pagination } = (await client.get<List>(`/plans${query}`)).body
  return { slugs: data.map(({ slug }) => slug).join(' '), total: pagination.total }
}

describe('GET /plans', () => {
  test('is in the order of rank, and sorts by name and time', async () => {
    expect(await slugs(side.admin, '')).toEqual({ slugs: 'free gamma beta alpha', total: 4 })
    expect(await slugs(side.admin, '?order=desc')).toEqual({ slugs: 'alpha beta gamma free', total: 4 })
    expect(await slugs(side.admin, '?sort=name')).toEqual({ slugs: 'alpha beta free gamma', total: 4 })
    expect(await slugs(side.admin, '?sort=created_at')).toEqual({ slugs: 'free beta alpha gamma', total: 4 })
  })

  test('filters by status and visibility, in pages', async () => {
    expect(await slugs(side.admin, '?status=archived')).toEqual({ slugs: 'gamma', total: 1 })
    expect(await slugs(side.admin, '?status=active&visibility=hidden')).toEqual({ slugs: 'alpha', total: 1 })
    expect(await slugs(side.admin, '?status=active&limit=2&page=2')).toEqual({ slugs: 'alpha', total: 3 })
    expect(await slugs(side.admin, '?page=9')).toEqual({ slugs: '', total: 4 })
  })

  test('shows a public key what is published and nothing else, whatever it asks for', async () => {
    for (const query of ['', '?visibility=public', '?status=active'])
      expect(await slugs(visitor, query)).toEqual({ slugs: 'free beta', total: 2 })
    for (const query of ['?visibility=hidden', '?status=archived', '?status=archived&visibility=hidden']) {
      const { slugs: shown } = await slugs(visitor, query)
      expect(shown).not.toMatch(/alpha|gamma/)
    }
  })

  test('answers a public key for an unpublished plan as for a missing one', async () => {
    for (const { id } of [hidden, archived]) {
      expect((await side.admin.get(`/plans/${id}`)).status).toBe(200)
      expect(refusalOf(await visitor.get(`/plans/${id}`))).toBe('404 NOT_FOUND')
    }
  })
})
