import { expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import { formId } from '../ids.ts'
import type { Form } from '../schema.ts'
import type { Summary } from './schema.ts'

let api: TestApi
let side: Side
let form: Form

withProjects(async (opened, one) => {
  api = opened
  side = one.live
  form = await makeForm(side, {
    fields: [
      { id: 'name', type: 'text', label: 'Name' },
      { id: 'stars', type: 'rating', label: 'Stars' },
      { id: 'age', type: 'number', label: 'Age' },
      { id: 'head', type: 'section', label: 'Head' },
      { id: 'team', type: 'radio', label: 'Team', options: [{ value: 'a', label: 'Alpha' }, { value: 'b' }] },
      { id: 'likes', type: 'multi_select', label: 'Likes', options: [{ value: 'tea' }, { value: 'milk' }] },
      { id: 'news', type: 'checkbox', label: 'News' },
    ],
    settings: { spam: { honeypot: 'trap' } },
  })
  const sent = [
    { name: 'Ada', stars: 5, age: 36, team: 'a', likes: ['tea', 'milk'], news: true },
    { name: 'Grace', stars: 2, likes: ['tea'] },
    { stars: 5, team: 'a', trap: 'x' },
    { stars: 5, age: 1 },
  ]
  for (const data of sent) await side.admin.post(`/forms/${form.id}/submissions`, { data })
})

const summaryOf = async (query = '') =>
  (await side.admin.get<{ data: Summary }>(`/forms/${form.id}/summary${query}`)).body.data

test('counts answers per field and value, options that nobody chose too, and spam apart', async () => {
  expect(await summaryOf()).toEqual({
    submissions: 3,
    spam: 1,
    fields: [
      { id: 'name', label: 'Name', type: 'text', answered: 2 },
      {
        id: 'stars',
        label: 'Stars',
        type: 'rating',
        answered: 3,
        values: [
          { value: '2', label: '2', count: 1 },
          { value: '5', label: '5', count: 2 },
        ],
        min: 2,
        max: 5,
        average: 4,
      },
      { id: 'age', label: 'Age', type: 'number', answered: 2, min: 1, max: 36, average: 18.5 },
      {
        id: 'team',
        label: 'Team',
        type: 'radio',
        answered: 1,
        values: [
          { value: 'a', label: 'Alpha', count: 1 },
          { value: 'b', label: 'b', count: 0 },
        ],
      },
      {
        id: 'likes',
        label: 'Likes',
        type: 'multi_select',
        answered: 2,
        values: [
          { value: 'tea', label: 'tea', count: 2 },
          { value: 'milk', label: 'milk', count: 1 },
        ],
      },
      {
        id: 'news',
        label: 'News',
        type: 'checkbox',
        answered: 3,
        values: [
          { value: 'false', label: 'false', count: 2 },
          { value: 'true', label: 'true', count: 1 },
        ],
      },
    ],
  })
})

test('counts what lies in a range of time', async () => {
  await api.owner.query(
    `update form_submissions set created_at = '2026-01-01' where form_id = $1 and data ->> 'name' = 'Ada'`,
    [parseId(formId, form.id)],
  )
  const range = await summaryOf('?start_date=2026-01-01&end_date=2026-01-01')
  expect({ submissions: range.submissions, spam: range.spam }).toEqual({ submissions: 1, spam: 0 })
  expect(range.fields.find(({ id }) => id === 'stars')).toMatchObject({ answered: 1, min: 5, max: 5 })
  expect((await summaryOf('?end_date=2025-12-31')).submissions).toBe(0)
})

test('takes fields as they are published, and survives a field that had another type before', async () => {
  const changed = form.fields.map((field) =>
    field.id === 'name' ? { ...field, type: 'number' as const } : field,
  )
  await side.admin.patch(`/forms/${form.id}`, { fields: changed })
  expect((await summaryOf()).fields[0]?.type).toBe('text')
  await side.admin.post(`/forms/${form.id}/publish`)
  const [name] = (await summaryOf()).fields
  expect(name).toEqual({ id: 'name', label: 'Name', type: 'number', answered: 2 })
})
