import { expect, test } from 'vitest'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { codeOf, Forum, taken } from '../forum.fixture.ts'
import type { Category } from './schema.ts'

let side: Side
let forum: Forum

withProjects((_api, one) => {
  side = one.live
  forum = new Forum(side)
})

const change = async (id: string, changes: object) =>
  taken(await side.admin.patch<{ data: Category }>(`/discussion-categories/${id}`, changes)).data

test('of two changes of different fields at the same moment, none is lost', async () => {
  const { id } = await forum.category({ name: 'General' })
  for (let n = 1; n <= 50; n++) {
    await Promise.all([change(id, { description: `Number ${n}` }), change(id, { position: n })])
    expect(await change(id, {})).toMatchObject({ description: `Number ${n}`, position: n })
  }
})

test('a change sets what is sent, of each kind, and nothing else', async () => {
  const plan = taken(
    await side.admin.post<{ data: { id: string } }>('/plans', { name: 'Gold', price: 1 }),
  ).data
  const { id } = await forum.category({ name: 'News', description: 'What is new', position: 3 })
  const gated = await change(id, { required_plans: [plan.id] })
  expect(gated).toMatchObject({ required_plans: [plan.id], requires_plan: true, slug: 'news', position: 3 })
  const renamed = await change(id, { slug: 'The News', moderated: true })
  expect(renamed).toMatchObject({ slug: 'the-news', moderated: true, required_plans: [plan.id] })
  expect(await change(id, { description: null, required_plans: [] })).toMatchObject({
    ...{ name: 'News', description: '', requires_plan: false, position: 3, moderated: true },
  })
  await forum.category({ name: 'Other' })
  const patch = (changes: object) => codeOf(side.admin.patch(`/discussion-categories/${id}`, changes))
  expect(await patch({ slug: 'other' })).toBe('422 SLUG_TAKEN')
  expect(await patch({ slug: '!!!' })).toBe('422 VALIDATION_ERROR')
  expect(await patch({ required_plans: ['plan_x'] })).toBe('422 VALIDATION_ERROR')
})
