import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { advance } from '#testkit/areas/test-clock.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Form, FormSchema, NewForm } from '../schema.ts'
import type { Receipt, Submission } from './schema.ts'

// What looks like spam is answered like anything else, kept apart, announced to nobody and never lost.

let api: TestApi
let side: Side
/** A public key, as pages have it. */
let key: string

withProjects(async (opened, one) => {
  api = opened
  side = one.test
  ;({ key } = await side.makeKey({ type: 'public', capabilities: ['submit', 'catalog'] }))
})

const data = { email: 'ada@example.com', message: 'Hello' }
const formWith = (settings: NewForm['settings']): Promise<Form> =>
  makeForm(side, settings ? { settings } : {})
/** Submits as a page does, by default each time from another address. */
const submit = (form: Form, body: object, options: object = {}) =>
  side.as(key).post<{ data: Receipt }>(`/forms/${form.id}/submissions`, body, options)
const idsOf = async (form: Form, status: string): Promise<string[]> => {
  const { body } = await side.admin.get<{ data: Submission[] }>(
    `/forms/${form.id}/submissions?status=${status}&order=asc`,
  )
  return body.data.map(({ id }) => id)
}
const announced = async (id: string): Promise<string[]> => {
  const { rows } = await api.owner.query<{ type: string }>(
    `select type from events where payload ->> 'id' = $1 order by id`,
    [id],
  )
  return rows.map(({ type }) => type)
}

describe('the honeypot', () => {
  test('catches whoever fills it in, with the same answer, and stores nothing of it', async () => {
    const form = await formWith({ spam: { honeypot: 'website' } })
    const good = await submit(form, { data: { ...data, website: '' } })
    const bad = await submit(form, { data: { ...data, website: 'https://spam.example' } })
    expect(bad.status).toBe(good.status)
    expect(Object.keys(bad.body.data)).toEqual(Object.keys(good.body.data))
    expect(await idsOf(form, 'received')).toEqual([good.body.data.id])
    expect(await idsOf(form, 'spam')).toEqual([bad.body.data.id])
    expect(await announced(bad.body.data.id)).toEqual([])
    const path = `/forms/${form.id}/submissions/${bad.body.data.id}`
    expect((await side.admin.get<{ data: Submission }>(path)).body.data.data).toEqual(data)
  })

  test('is an unknown field where the form has none', async () => {
    const form = await formWith(undefined)
    expect(refusalOf(await submit(form, { data: { ...data, website: '' } }))).toBe('422 VALIDATION_ERROR')
  })
})

describe('the least time to fill a form in, by the clock of the side', () => {
  const schemaOf = async (form: Form) =>
    (await side.as(key).get<{ data: FormSchema }>(`/forms/${form.id}/schema`)).body.data

  test('is counted from the schema, by a token that nobody can make or carry over', async () => {
    const form = await formWith({ spam: { min_seconds: 2 } })
    const another = await formWith({ spam: { min_seconds: 2 } })
    const { token } = await schemaOf(form)
    const stranger = (await schemaOf(another)).token
    const [shownAt = '', signature = ''] = token.split('.')
    await advance(side, { seconds: 3 })
    const forged = `${Number(shownAt) - 100}.${signature}`
    const spam = []
    for (const wrong of [undefined, '', 'x', stranger, forged, `${shownAt}.`])
      spam.push((await submit(form, { data, ...(wrong !== undefined && { token: wrong }) })).body.data.id)
    const good = await submit(form, { data: { email: 'good@example.com' }, token })
    expect(good.status).toBe(201)
    expect(await idsOf(form, 'received')).toEqual([good.body.data.id])
    expect((await idsOf(form, 'spam')).sort()).toEqual(spam.sort())
    await advance(side, { days: 8 })
    const late = await submit(form, { data: { email: 'late@example.com' }, token })
    expect(await idsOf(form, 'spam')).toContain(late.body.data.id)
  })

  test('catches whoever is quicker', async () => {
    const form = await formWith({ spam: { min_seconds: 5 } })
    const { token } = await schemaOf(form)
    const { body } = await submit(form, { data, token })
    expect(await idsOf(form, 'spam')).toEqual([body.data.id])
  })
})

describe('the same answers again', () => {
  const from = { from: '198.51.100.1' }

  test('by the same sender are kept as spam, also when they come at once', async () => {
    const form = await formWith(undefined)
    await Promise.all(Array.from({ length: 5 }, () => submit(form, { data }, from)))
    expect((await idsOf(form, 'received')).length).toBe(1)
    expect((await idsOf(form, 'spam')).length).toBe(4)
  })

  test('by another sender, or other answers, or to another form, are none', async () => {
    const form = await formWith(undefined)
    await submit(form, { data }, from)
    await submit(form, { data }, { from: '198.51.100.2' })
    await submit(form, { data: { ...data, message: 'Other' } }, from)
    expect((await idsOf(form, 'received')).length).toBe(3)
    const another = await formWith(undefined)
    await submit(another, { data }, from)
    expect((await idsOf(another, 'received')).length).toBe(1)
  })

  test('after the form’s time by the clock of the side, or where it has none, are none', async () => {
    const form = await formWith({ spam: { duplicate_seconds: 10 } })
    await submit(form, { data }, from)
    await submit(form, { data }, from)
    expect((await idsOf(form, 'received')).length).toBe(1)
    await advance(side, { seconds: 11 })
    await submit(form, { data }, from)
    expect((await idsOf(form, 'received')).length).toBe(2)
    const open = await formWith({ spam: { duplicate_seconds: 0 } })
    await submit(open, { data }, from)
    await submit(open, { data }, from)
    expect((await idsOf(open, 'received')).length).toBe(2)
  })

  test('of a secret key are distinguished by the member or the address that it names, and free where it names none', async () => {
    const form = await formWith(undefined)
    const path = `/forms/${form.id}/submissions`
    const { id: member_id } = await side.makeMember()
    for (const headers of [undefined, { 'x-client-ip': '192.0.2.1' }, { 'x-client-ip': '192.0.2.2' }])
      for (let i = 0; i < 2; i++)
        expect((await side.admin.post(path, { data }, headers ? { headers } : {})).status).toBe(201)
    for (let i = 0; i < 2; i++) await side.admin.post(path, { data, member_id })
    expect((await idsOf(form, 'received')).length).toBe(5)
    expect((await idsOf(form, 'spam')).length).toBe(3)
  })
})

test('what was judged wrongly is put where it belongs, once, and is announced', async () => {
  const form = await formWith({ spam: { honeypot: 'website' } })
  const { body } = await submit(form, { data: { ...data, website: 'x' } })
  const path = `/forms/${form.id}/submissions/${body.data.id}`
  for (let i = 0; i < 2; i++) {
    const answer = await side.admin.patch<{ data: Submission }>(path, { status: 'received' })
    expect(answer.body.data.status).toBe('received')
  }
  expect(await idsOf(form, 'received')).toEqual([body.data.id])
  expect(await announced(body.data.id)).toEqual(['form_submission.updated'])
})
