import { describe, expect, test } from 'vitest'
import type { Client, Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import { HelpCenter, search, taken } from '../help-center.fixture.ts'
import type { Article } from '../schema.ts'

interface One {
  data: Article
}
interface Refused {
  code: string
  details?: { field: string }[]
}

let side: Side
let other: Side
let help: HelpCenter
let visitor: Client

withProjects(async (_api, one, two) => {
  side = one.live
  other = two.live
  help = new HelpCenter(side)
  visitor = side.as((await side.makeKey({ type: 'public', capabilities: ['catalog'] })).key)
})

const read = async (name: string, client = visitor, query = '') =>
  client.get<One & Refused>(`/help/articles/${name}${query}`)
const refusal = async (answer: Promise<{ status: number; body: Refused }>) => {
  const { status, body } = await answer
  return `${status} ${body.code} ${body.details?.[0]?.field ?? ''}`.trim()
}

describe('an article', () => {
  test('is a draft for keys alone until it is published', async () => {
    const draft = await help.draft({ title: 'Drafted', labels: ['b', 'a'] })
    expect(draft).toMatchObject({
      id: expect.stringMatching(/^art_[0-9a-z]{26}$/),
      slug: 'drafted',
      status: 'draft',
      version: 0,
      content_html: '<p>Open <strong>Settings</strong>.</p>\n',
      labels: ['b', 'a'],
      locale: 'en',
      draft: null,
      published_at: null,
    })
    expect(refusalOf(await read(draft.id))).toBe('404 NOT_FOUND')
    expect((await read(draft.id, side.admin)).body.data).toEqual(draft)
    const published = await help.publish(draft.id)
    expect(published).toMatchObject({ status: 'published', version: 1, published_at: expect.any(String) })
    const { draft: _draft, ...shown } = published
    expect((await read(draft.id)).body.data).toEqual(shown)
    expect(await help.publish(draft.id)).toEqual(published)
  })

  test('keeps its words for readers while they are worked on, and its versions for good', async () => {
    const { id } = await help.article({ title: 'First', content: 'One' })
    const changed = await help.change(id, { title: 'Second', content: 'Two' })
    expect(changed).toMatchObject({
      title: 'First',
      content: 'One',
      draft: { title: 'Second', content: 'Two' },
    })
    expect((await read(id)).body.data).toMatchObject({ title: 'First', content: 'One', version: 1 })
    await help.publish(id)
    expect((await read(id)).body.data).toMatchObject({ title: 'Second', content: 'Two', version: 2 })
    const versions = (
      await side.admin.get<{ data: { version: number; title: string }[] }>(`/help/articles/${id}/versions`)
    ).body
    expect(versions).toMatchObject({ pagination: { total: 2 } })
    expect(versions.data.map(({ version, title }) => [version, title])).toEqual([
      [2, 'Second'],
      [1, 'First'],
    ])
    const restored = taken(await side.admin.post<One>(`/help/articles/${id}/versions/1/restore`))
    expect(restored).toMatchObject({ title: 'Second', draft: { title: 'First', content: 'One' } })
    expect(await help.publish(id)).toMatchObject({ title: 'First', version: 3, draft: null })
    for (const n of ['4', '0', '-1', '1.5', 'x', '99999999999999'])
      expect(await refusal(side.admin.post(`/help/articles/${id}/versions/${n}/restore`))).toBe(
        '404 NOT_FOUND',
      )
  })

  test('that is archived is met by no reader, until it is published again', async () => {
    const { id } = await help.article({ title: 'Archivable' })
    expect((await search(visitor, 'archivable')).pagination.total).toBe(1)
    await side.admin.post(`/help/articles/${id}/archive`)
    expect(refusalOf(await read(id))).toBe('404 NOT_FOUND')
    expect((await search(visitor, 'archivable')).data).toEqual([])
    expect((await search(side.admin, 'archivable')).data).toEqual([])
    expect(await help.publish(id)).toMatchObject({ status: 'published', version: 1 })
    expect((await search(visitor, 'archivable')).pagination.total).toBe(1)
  })

  test('that is deleted is nowhere', async () => {
    const { id, slug } = await help.article({ title: 'Deletable' })
    await help.translate(id, 'de', 'Löschbar')
    expect((await side.admin.delete(`/help/articles/${id}`)).status).toBe(200)
    expect(refusalOf(await read(slug, side.admin))).toBe('404 NOT_FOUND')
    expect((await search(side.admin, 'deletable')).data).toEqual([])
    expect(refusalOf(await side.admin.delete(`/help/articles/${id}`))).toBe('404 NOT_FOUND')
    expect((await help.draft({ slug })).slug).toBe(slug)
  })

  test('is refused with a category or a plan that is not there', async () => {
    const body = { title: 'x', content: 'x' }
    const theirs = await new HelpCenter(other).category('Theirs')
    for (const category_id of [theirs, 'cat_01jcq3k8f7e8qtk4m3hbw7rn2d', 'x'])
      expect(await refusal(side.admin.post('/help/articles', { ...body, category_id }))).toBe(
        '422 VALIDATION_ERROR category_id',
      )
    const plan = (await other.makePlan()).id
    const mine = (await side.makePlan()).id
    expect(await refusal(side.admin.post('/help/articles', { ...body, required_plans: [mine, plan] }))).toBe(
      '422 VALIDATION_ERROR required_plans[1]',
    )
  })
})

test('an article that was changed meanwhile is not changed over it', async () => {
  const { id } = await help.article({ title: 'Edited by two' })
  const path = `/help/articles/${id}`
  const { etag = '' } = (await side.admin.get(path)).headers
  const change = (title: string) => side.admin.patch(path, { title }, { headers: { 'if-match': etag } })
  expect((await change('By one')).status).toBe(200)
  expect(refusalOf(await change('By the other'))).toBe('412 CHANGED_MEANWHILE')
  expect(refusalOf(await side.admin.delete(path, { headers: { 'if-match': etag } }))).toBe(
    '412 CHANGED_MEANWHILE',
  )
})

describe('a slug', () => {
  test('made of a title that is taken, or of symbols alone, is another one', async () => {
    expect((await help.draft({ title: 'Same title' })).slug).toBe('same-title')
    expect((await help.draft({ title: 'Same title!' })).slug).toMatch(/^same-title-[0-9a-f]{12}$/)
    for (const title of ['!!!', '会員登録', '🙂'])
      expect((await help.draft({ title })).slug).toMatch(/^article-[0-9a-f]{12}$/)
  })

  test('of symbols is refused, and one that another article has', async () => {
    await help.draft({ slug: 'mine' })
    const body = { title: 'x', content: 'x' }
    for (const slug of ['!!!', '-', 'a--b', 'A', 'ä', ''])
      expect(await refusal(side.admin.post('/help/articles', { ...body, slug }))).toBe(
        '422 VALIDATION_ERROR slug',
      )
    expect(await refusal(side.admin.post('/help/articles', { ...body, slug: 'mine' }))).toBe(
      '422 SLUG_TAKEN slug',
    )
    const { id } = await help.draft()
    expect(await refusal(side.admin.patch(`/help/articles/${id}`, { slug: 'mine' }))).toBe(
      '422 SLUG_TAKEN slug',
    )
  })

  test('of before answers with the present one, until another article takes it', async () => {
    const { id } = await help.article({ slug: 'first-name' })
    await help.change(id, { slug: 'second-name' })
    await help.change(id, { slug: 'third-name' })
    for (const slug of ['first-name', 'second-name', 'third-name'])
      expect(await read(slug)).toMatchObject({ status: 200, body: { data: { id, slug: 'third-name' } } })
    const { id: next } = await help.article({ slug: 'first-name' })
    expect((await read('first-name')).body.data.id).toBe(next)
    expect((await help.change(id, { slug: 'second-name' })).slug).toBe('second-name')
    expect((await read('third-name')).body.data).toMatchObject({ id, slug: 'second-name' })
  })

  test('of before leads to its published article until the one that takes it is published, too', async () => {
    const { id } = await help.article({ slug: 'old-address' })
    await help.change(id, { slug: 'new-address' })
    const [draft, later] = [
      await help.draft({ slug: 'old-address' }),
      await help.draft({ slug: 'old-address' }),
    ]
    expect([draft.slug, later.slug]).toEqual(['old-address', 'old-address'])
    expect(await read('old-address')).toMatchObject({ status: 200, body: { data: { id } } })
    await help.change(draft.id, { title: 'Changed' })
    expect((await read('old-address')).body.data.id).toBe(id)
    expect((await help.publish(draft.id)).slug).toBe('old-address')
    expect((await read('old-address')).body.data.id).toBe(draft.id)
    expect(await refusal(side.admin.post(`/help/articles/${later.id}/publish`))).toBe('422 SLUG_TAKEN slug')
    expect((await read('new-address')).body.data.id).toBe(id)
    await side.admin.post(`/help/articles/${draft.id}/archive`)
    expect((await help.publish(draft.id)).slug).toBe('old-address')
  })

  test('is one article’s, also when ten want it at once', async () => {
    const asked = Array.from({ length: 10 }, () =>
      side.admin.post<One>('/help/articles', { title: 'x', content: 'x', slug: 'wanted' }),
    )
    expect((await Promise.all(asked)).map(({ status }) => status).sort()).toEqual([
      201,
      ...Array(9).fill(422),
    ])
  })
})

describe('a translation', () => {
  test('is met by readers of its language, and knows when it is outdated', async () => {
    const { id } = await help.article({ title: 'Translated', content: 'Hello' })
    expect(await help.translate(id, 'de', 'Übersetzt', 'Hallo **Welt**')).toMatchObject({
      locale: 'de',
      is_outdated: false,
      content_html: '<p>Hallo <strong>Welt</strong></p>\n',
    })
    const { body } = await read(id, visitor, '?locale=de-AT')
    expect(body.data).toMatchObject({
      title: 'Übersetzt',
      locale: 'de',
      original_locale: 'en',
      locales: ['de', 'en'],
      is_outdated: false,
    })
    expect((await read(id, visitor, '?locale=fr')).body.data).toMatchObject({
      title: 'Translated',
      locale: 'en',
    })
    await help.change(id, { content: 'Hello again' })
    expect((await read(id, visitor, '?locale=de')).body.data.is_outdated).toBe(false)
    await help.publish(id)
    expect((await read(id, visitor, '?locale=de')).body.data.is_outdated).toBe(true)
    await help.translate(id, 'de', 'Übersetzt', 'Hallo nochmal')
    expect((await read(id, visitor, '?locale=de')).body.data).toMatchObject({
      is_outdated: false,
      content: 'Hallo nochmal',
    })
    const listed = await visitor.get<{ data: Article[] }>('/help/articles?locale=de')
    expect(listed.body).toMatchObject({ data: [{ id, title: 'Übersetzt' }], pagination: { total: 1 } })
    expect((await side.admin.delete(`/help/articles/${id}/translations/de`)).status).toBe(200)
    expect((await read(id, visitor, '?locale=de')).body.data.title).toBe('Translated')
    expect((await search(visitor, 'übersetzt')).data).toEqual([])
  })

  test('into the language of the article, or into none, is refused', async () => {
    const { id } = await help.draft({ locale: 'pt-BR' })
    const put = (locale: string) =>
      refusal(side.admin.put(`/help/articles/${id}/translations/${locale}`, { title: 'x', content: 'x' }))
    expect(await put('pt-BR')).toBe('422 LOCALE_IS_ORIGINAL')
    for (const locale of ['x', 'EN', 'english!', 'de_AT', 'a'.repeat(40)])
      expect(await put(locale)).toBe('404 NOT_FOUND')
  })
})
