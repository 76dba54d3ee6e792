import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { HelpCenter } from '../help-center.fixture.ts'

let api: TestApi
let side: Side
let help: HelpCenter
let visitor: Client

withProjects(async (opened, one) => {
  api = opened
  side = one.live
  help = new HelpCenter(side)
  visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
})

const refusal = async (answer: Promise<{ status: number; body: { code: string } }>) => {
  const { status, body } = await answer
  return `${status} ${body.code}`
}

describe('categories', () => {
  interface Categories {
    categories: { id: string; name: string; article_count: number }[]
  }

  test('are listed as the contract says, in pages, and show what is in them', async () => {
    const top = await help.category('Account')
    const inner = await help.category('Passwords', top)
    await help.article({ category_id: inner })
    await help.article({ category_id: inner, visibility: 'internal' })
    await help.draft({ category_id: inner })
    const { body } = await visitor.get<Categories>(`/help/categories?parent_id=${top}`)
    expect(body).toEqual({
      success: true,
      categories: [{ id: inner, name: 'Passwords', description: '', icon: '', article_count: 1 }],
    })
    expect(
      (await side.admin.get<Categories>(`/help/categories?parent_id=${top}`)).body.categories,
    ).toMatchObject([{ article_count: 2 }])
    expect(
      (await visitor.get<Categories>('/help/categories?include=slug,parent_id,position')).body.categories,
    ).toMatchObject([
      { id: top, slug: 'account', parent_id: null, position: 0 },
      { id: inner, slug: 'passwords', parent_id: top, position: 0 },
    ])
    const page = await visitor.get(`/help/categories/${inner}`)
    expect(page.body).toMatchObject({
      data: { parent_id: top, path: [{ id: top, slug: 'account' }], children: [] },
    })
    const names: string[] = []
    for (let next: string | undefined = '/api/v1/help/categories?limit=1'; next !== undefined; ) {
      const answer: { headers: Readonly<Record<string, string | undefined>>; body: Categories } =
        await api.send('GET', next, { key: side.key })
      names.push(...answer.body.categories.map(({ name }) => name))
      next = /<[^>]*(\/api\/v1[^>]*)>; rel="next"/.exec(answer.headers.link ?? '')?.[1]
    }
    expect(names).toEqual(['Account', 'Passwords'])
    expect(refusalOf(await visitor.get('/help/categories?cursor=x'))).toBe('400 INVALID_PARAMETERS')
  })

  test('count their articles exactly while fifty are published, archived and deleted at once', async () => {
    const category_id = await help.category('Busy')
    const make = (many: number, article: () => Promise<{ id: string }>) =>
      Promise.all(Array.from({ length: many }, article))
    const drafts = await make(20, () => help.draft({ category_id }))
    const published = await make(30, () => help.article({ category_id }))
    const answers = await Promise.all([
      ...drafts.map(({ id }) => side.admin.post(`/help/articles/${id}/publish`)),
      ...published.slice(0, 15).map(({ id }) => side.admin.post(`/help/articles/${id}/archive`)),
      ...published.slice(15, 30).map(({ id }) => side.admin.delete(`/help/articles/${id}`)),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { body } = await visitor.get<Categories>('/help/categories')
    expect(body.categories.find(({ id }) => id === category_id)?.article_count).toBe(20)
  })

  test('are never inside themselves, and go when nothing is in them', async () => {
    const a = await help.category('A')
    const b = await help.category('B', a)
    const c = await help.category('C', b)
    for (const parent_id of [a, b, c])
      expect(await refusal(side.admin.patch(`/help/categories/${a}`, { parent_id }))).toBe(
        '422 CATEGORY_CIRCLE',
      )
    expect(await refusal(side.admin.delete(`/help/categories/${b}`))).toBe('422 CATEGORY_IN_USE')
    await side.admin.patch(`/help/categories/${c}`, { parent_id: null })
    const { id } = await help.draft({ category_id: b })
    expect(await refusal(side.admin.delete(`/help/categories/${b}`))).toBe('422 CATEGORY_IN_USE')
    await help.change(id, { category_id: c })
    expect((await side.admin.delete(`/help/categories/${b}`)).status).toBe(200)
    const moves = await Promise.all([
      side.admin.patch(`/help/categories/${a}`, { parent_id: c }),
      side.admin.patch(`/help/categories/${c}`, { parent_id: a }),
    ])
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})
