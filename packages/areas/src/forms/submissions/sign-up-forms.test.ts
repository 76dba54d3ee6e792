import { describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Form, NewForm } from '../schema.ts'
import type { Receipt, Submission } from './schema.ts'

// Forms that make members: in the same transaction as the submission, without keeping a password.

let api: TestApi
/** Signs members up at once. */
let side: Side
/** Confirms addresses first. */
let strict: Side
let form: Form
let strictForm: Form

const PASSWORD = 'correct horse battery'
const SIGN_UP: Partial<NewForm> = {
  name: 'Join',
  type: 'signup',
  fields: [
    { id: 'name', type: 'text', label: 'Name' },
    { id: 'mail', type: 'email', label: 'Email', required: true },
    { id: 'pass', type: 'password', label: 'Password', required: true },
  ],
  settings: { signup: { email_field: 'mail', password_field: 'pass', full_name_field: 'name' } },
}

withProjects(async (opened, one, two) => {
  api = opened
  side = one.live
  strict = two.live
  await api.owner.query('update projects set email_confirmation = true where id = $1', [strict.projectId])
  form = await makeForm(side, SIGN_UP)
  strictForm = await makeForm(strict, SIGN_UP)
})

interface Refused {
  code: string
  details?: { field: string; rule: string }[]
}
const submit = async (of: Side, { id }: Form, data: object, more: object = {}) =>
  of.admin.post<{ data: Receipt } & Refused>(`/forms/${id}/submissions`, { data, ...more })
const submissionsOf = async (of: Side, { id }: Form, query = '') =>
  (await of.admin.get<{ data: Submission[] }>(`/forms/${id}/submissions?${query}`)).body.data
const memberBy = async (of: Side, email: string) => {
  const { body } = await of.admin.get<{ data: { id: string; status: string; full_name: string }[] }>(
    `/members?search=${email}`,
  )
  return body.data[0]
}
const eventsOf = async (of: Side, member: string) => {
  const { rows } = await api.owner.query<{ type: string }>(
    `select type from events where project_id = $1 and payload ->> 'id' = $2 order by id`,
    [of.projectId, member],
  )
  return rows.map(({ type }) => type)
}

describe('a signup form', () => {
  test('makes a member who can log in, and whose submission it is', async () => {
    const data = { name: 'Ada', mail: 'ada@example.com', pass: PASSWORD }
    const { status, body } = await submit(side, form, data)
    expect(status).toBe(201)
    const member = await memberBy(side, 'ada@example.com')
    expect(member).toMatchObject({ status: 'active', full_name: 'Ada' })
    expect(await eventsOf(side, member?.id ?? '')).toEqual(['member.created', 'member.signed_up'])
    const [submission] = await submissionsOf(side, form)
    expect(submission).toMatchObject({
      id: body.data.id,
      member_id: member?.id,
      data: { name: 'Ada', mail: 'ada@example.com' },
    })
    const login = { email: 'ada@example.com', password: PASSWORD }
    const { key } = await side.makeKey({ type: 'public' })
    expect((await side.as(key).post('/auth/login', login)).status).toBe(200)
  })

  test('leaves a password nowhere', async () => {
    const pass = 'a very secret sentence'
    const { body } = await submit(side, form, { mail: 'secret@example.com', pass }, {})
    expect(JSON.stringify(body)).not.toContain(pass)
    const seen = await side.admin.get(`/forms/${form.id}/submissions/${body.data.id}`)
    expect(JSON.stringify(seen.body)).not.toContain(pass)
    for (const table of ['form_submissions', 'events', 'outbox', 'members', 'idempotency_keys']) {
      const { rows } = await api.owner.query(`select 1 from ${table} t where t::text like $1`, [`%${pass}%`])
      expect([table, rows.length]).toEqual([table, 0])
    }
  })

  test('refuses a common or short password by the name of its field', async () => {
    for (const pass of ['password123', 'short']) {
      const { status, body } = await submit(side, form, { mail: 'weak@example.com', pass })
      expect([status, body.details?.[0]?.field]).toEqual([422, 'data.pass'])
      expect(JSON.stringify(body)).not.toContain(pass)
    }
    expect(await memberBy(side, 'weak@example.com')).toBeUndefined()
  })

  test('refuses an address that is taken, and keeps no submission', async () => {
    await side.makeMember({ email: 'taken@example.com' })
    const before = (await submissionsOf(side, form)).length
    const { status, body } = await submit(side, form, { mail: 'TAKEN@example.com', pass: PASSWORD })
    expect({ status, code: body.code, field: body.details?.[0]?.field }).toEqual({
      status: 422,
      code: 'EMAIL_TAKEN',
      field: 'data.mail',
    })
    expect((await submissionsOf(side, form)).length).toBe(before)
  })

  test('makes one member of two submissions at once', async () => {
    const data = { mail: 'race@example.com', pass: PASSWORD }
    const answers = await Promise.all([submit(side, form, data), submit(side, form, data)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
    expect((await submissionsOf(side, form, 'search=race@example.com')).length).toBe(1)
  })

  test('names no other member', async () => {
    const { id: member_id } = await side.makeMember()
    const { status, body } = await submit(
      side,
      form,
      { mail: 'x@example.com', pass: PASSWORD },
      { member_id },
    )
    expect([status, body.details?.[0]?.field]).toEqual([422, 'member_id'])
  })

  test('makes no member of spam', async () => {
    const settings = { ...SIGN_UP.settings, spam: { honeypot: 'trap' } }
    const guarded = await makeForm(side, { ...SIGN_UP, settings })
    const data = { mail: 'bot@example.com', pass: PASSWORD, trap: 'x' }
    expect((await submit(side, guarded, data)).status).toBe(201)
    expect(await memberBy(side, 'bot@example.com')).toBeUndefined()
    expect((await submissionsOf(side, guarded, 'status=spam')).length).toBe(1)
  })

  test('asks no other way in of an address that must log in by single sign-on', async () => {
    await api.owner.query(
      `insert into sso_connections (project_id, id, type, name, domains, required, issuer, sso_url)
       values ($1, gen_random_uuid(), 'saml', 'Firm', '{firm.example}', true, 'https://idp.example', 'https://idp.example')`,
      [side.projectId],
    )
    const refused = await submit(side, form, { mail: 'ada@firm.example', pass: PASSWORD })
    expect(refused).toMatchObject({ status: 422, body: { code: 'SSO_REQUIRED' } })
    expect(await memberBy(side, 'ada@firm.example')).toBeUndefined()
  })

  test('makes twenty members a minute for one address, together with the other ways in, and no more', async () => {
    const from = '203.0.113.77'
    const { key } = await side.makeKey({ type: 'public', capabilities: ['submit'] })
    const visitor = side.as(key)
    for (let i = 0; i < 15; i++)
      await visitor.post('/auth/login', { email: 'nobody@example.com', password: 'x' }, { from })
    const send = (i: number) =>
      visitor.post(
        `/forms/${form.id}/submissions`,
        { data: { mail: `many${i}@example.com`, pass: PASSWORD } },
        { from },
      )
    const answers = []
    for (let i = 0; i < 7; i++) answers.push((await send(i)).status)
    expect(answers).toEqual([201, 201, 201, 201, 201, 429, 429])
    expect(await memberBy(side, 'many6@example.com')).toBeUndefined()
  })

  test('without its settings cannot be published', async () => {
    const { settings: _settings, ...bare } = SIGN_UP
    await expect(makeForm(side, bare)).rejects.toThrow('FORM_INCOMPLETE')
  })
})

describe('where addresses are confirmed', () => {
  const mailsFor = async () => {
    const { rows } = await api.owner.query<{ n: string }>(
      `select count(*) as n from outbox where project_id = $1 and name = 'auth.send-token-mail'`,
      [strict.projectId],
    )
    return Number(rows[0]?.n)
  }

  test('the member is pending, and gets a mail', async () => {
    const before = await mailsFor()
    expect((await submit(strict, strictForm, { mail: 'new@example.com', pass: PASSWORD })).status).toBe(201)
    expect(await memberBy(strict, 'new@example.com')).toMatchObject({ status: 'pending' })
    expect(await mailsFor()).toBe(before + 1)
  })

  test('nobody learns from answer or time that an address is taken', async () => {
    const member = await strict.makeMember({ email: 'known@example.com' })
    const timed = async (mail: string) => {
      const started = performance.now()
      const { status, body } = await submit(strict, strictForm, { mail, pass: PASSWORD })
      return { status, fields: Object.keys(body.data), slow: performance.now() - started >= 240 }
    }
    const free = await timed('free@example.com')
    expect(await timed('known@example.com')).toEqual(free)
    expect(free).toMatchObject({ status: 201, slow: true })
    // The submission is kept, and is not taken for the member's.
    const [submission] = await submissionsOf(strict, strictForm, 'search=known@example.com')
    expect(submission?.member_id).toBeNull()
    expect(await eventsOf(strict, member.id)).toEqual(['member.created'])
  })
})
