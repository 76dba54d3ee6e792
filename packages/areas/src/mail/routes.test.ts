import { describe, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { magicLink } from '#areas/auth/mails.ts'
import { endpointFailingMail } from '#areas/webhooks/mails.ts'
import { catalogueOf } from '#platform/area.ts'
import { newUuid } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withApi } from '#testkit/with-api.ts'
import { suppressAddress } from './queries.ts'
import type { Mail, MailSettings, MailTemplate, Suppression } from './schema.ts'
import { mailOperators, makeSendMail, type SendMail } from './service.ts'

let api: TestApi
let side: Side
let stranger: Side
let sendMail: SendMail
withApi(async (opened) => {
  api = opened
  const projects = await makeProjects(api)
  side = projects[0].live
  stranger = projects[1].live
  sendMail = makeSendMail(api.config)
})

interface Data<T> {
  data: T
  code?: string
  details?: { field: string; rule: string; message: string }[]
}
const settings = (changes: object, of = side) => of.admin.patch<Data<MailSettings>>('/mail/settings', changes)
const templates = (changes: object, of = side) =>
  of.admin.patch<Data<MailTemplate[]>>('/mail/templates', changes)
const template = (all: MailTemplate[], name: string) => all.find((each) => each.name === name)
const preview = async (body: object, of = side) =>
  (await of.admin.post<Data<{ subject: string; text: string; html: string }>>('/mail/preview', body)).body
    .data

describe('how mails look', () => {
  test('is ours until it is set, changes where it is given, and goes back with null', async () => {
    const ours = (await stranger.admin.get<Data<MailSettings>>('/mail/settings')).body.data
    expect(ours).toEqual({
      sender_name: null,
      reply_to: null,
      accent_color: null,
      background_color: null,
      footer: null,
      operator_addresses: [],
      operator_sessions_mailed: true,
    })
    const first = await settings({ sender_name: 'The Guild', accent_color: '#ABCDEF' })
    expect(first.body.data).toEqual({ ...ours, sender_name: 'The Guild', accent_color: '#abcdef' })
    const second = await settings({ footer: 'Guild e.V.', accent_color: null })
    expect(second.body.data).toEqual({ ...ours, sender_name: 'The Guild', footer: 'Guild e.V.' })
    expect((await side.admin.get<Data<MailSettings>>('/mail/settings')).body.data).toEqual(second.body.data)
    expect((await stranger.admin.get<Data<MailSettings>>('/mail/settings')).body.data).toEqual(ours)
  })

  test('two changes at the same time both count', async () => {
    await Promise.all([
      settings({ reply_to: ' help@EXAMPLE.com ' }),
      settings({ background_color: '#000000' }),
    ])
    const { data } = (await side.admin.get<Data<MailSettings>>('/mail/settings')).body
    expect(data).toMatchObject({ reply_to: 'help@example.com', background_color: '#000000' })
    await settings({ reply_to: null, background_color: null })
  })

  test.each([
    [{ sender_name: 'x\r\nBcc: eve@example.com' }, 'sender_name'],
    [{ sender_name: '' }, 'sender_name'],
    [{ reply_to: 'x@example.com\r\nBcc: eve@example.com' }, 'reply_to'],
    [{ accent_color: 'red' }, 'accent_color'],
    [{ accent_color: '#fff;x:1' }, 'accent_color'],
    [{ background_color: '#12345"' }, 'background_color'],
    [{ footer: '{{link}}' }, 'footer'],
    [{ operator_addresses: ['nobody'] }, 'operator_addresses[0]'],
  ])('%j is refused', async (changes, field) => {
    const { status, body } = await settings(changes)
    expect([status, body.details?.[0]?.field]).toEqual([422, field])
  })
})

describe('what mails say', () => {
  test('every mail is listed with its texts and what they may name', async () => {
    const { data } = (await side.admin.get<Data<MailTemplate[]>>('/mail/templates')).body
    expect(data.map(({ name }) => name)).toEqual([...catalogueOf(areas).mails.keys()])
    expect(template(data, 'magic_link')).toMatchObject({
      ...magicLink.texts,
      placeholders: ['project', 'address', 'link', 'code'],
      is_own: false,
    })
  })

  test('texts are the project’s own where it has some, in a preview and in no other project', async () => {
    const own = { subject: 'Your code is {{ code }}', body: 'Hello {{address}}.\n\nBye.' }
    const changed = (await templates({ magic_link: own })).body.data
    expect(template(changed, 'magic_link')).toMatchObject({ ...magicLink.texts, ...own, is_own: true })
    expect(template(changed, 'verify_email')?.is_own).toBe(false)
    const shown = await preview({ template: 'magic_link' })
    expect(shown.subject).toBe('Your code is 123456')
    expect(shown.text).toContain('Hello ada@example.com.\n\nBye.')
    expect((await preview({ template: 'magic_link' }, stranger)).subject).toBe('Log in to Other')

    const back = (await templates({ magic_link: { subject: null } })).body.data
    expect(template(back, 'magic_link')).toMatchObject({
      subject: magicLink.texts.subject,
      body: own.body,
      is_own: true,
    })
    const ours = (await templates({ magic_link: null })).body.data
    expect(template(ours, 'magic_link')).toMatchObject({ ...magicLink.texts, is_own: false })
  })

  test('markup in texts, names and footers is shown, not run', async () => {
    const markup = '<script>alert(1)</script>"onload="'
    await settings({ sender_name: markup, footer: markup })
    const texts = { subject: markup, heading: markup, body: `${markup}{{project}}`, action: markup }
    const shown = await preview({ template: 'magic_link', ...texts })
    expect(shown.html).not.toContain('<script')
    expect(shown.html).not.toContain('"onload="')
    expect(shown.html.match(/&lt;script&gt;/g)?.length).toBeGreaterThanOrEqual(6)
    expect(shown.text).toContain(markup)
    await settings({ sender_name: null, footer: null })
  })

  test('a placeholder that nothing fills in is refused by its field, all at once', async () => {
    const { status, body } = await templates({
      magic_link: { subject: '{{name}}', body: '{{code}} {{constructor}} {{code' },
      password_changed: { body: '{{code}}' },
    })
    expect([status, body.code]).toEqual([422, 'VALIDATION_ERROR'])
    expect(body.details?.map(({ field, rule }) => [field, rule])).toEqual([
      ['magic_link.subject', 'placeholder'],
      ['magic_link.body', 'placeholder'],
      ['magic_link.body', 'placeholder'],
      ['password_changed.body', 'placeholder'],
    ])
    expect(body.details?.[0]?.message).toBe(
      'has the unknown placeholder {{name}}. Known: {{project}}, {{address}}, {{link}}, {{code}}',
    )
  })

  test('unknown mails, and a button where there is no link, are refused', async () => {
    expect((await templates({ no_such_mail: { subject: 'x' } })).body.details?.[0]?.field).toBe(
      'no_such_mail',
    )
    const button = await templates({ password_changed: { action: 'Click' } })
    expect(button.body.details?.[0]?.field).toBe('password_changed.action')
  })
})

describe('what became of mails', () => {
  test('they are listed with their state and without what was filled in', async () => {
    const values = { link: 'https://guild.example/?token=s3cret', code: '424242' }
    await side.write((ctx) => sendMail(ctx, magicLink, { to: { address: 'ada@example.com' }, values }))
    const { body } = await side.admin.get<Data<Mail[]>>('/mails')
    expect(body.data).toMatchObject([
      {
        template: 'magic_link',
        to: 'ada@example.com',
        state: 'queued',
        attempts: 0,
        error: null,
        response: null,
      },
    ])
    expect(JSON.stringify(body)).not.toMatch(/s3cret|424242/)
    expect((await side.admin.get<Data<Mail[]>>('/mails?state=sent')).body.data).toEqual([])
    expect((await stranger.admin.get<Data<Mail[]>>('/mails')).body.data).toEqual([])
  })

  test('operators of a project are notified, each in a mail of their own', async () => {
    const values = endpointFailingMail.example
    const mailAll = () => side.write((ctx) => mailOperators(ctx, sendMail, endpointFailingMail, values))
    expect(await mailAll()).toBe(0)
    await settings({ operator_addresses: ['ops@example.com', 'boss@example.com'] })
    expect(await mailAll()).toBe(2)
    const { data } = (await side.admin.get<Data<Mail[]>>('/mails')).body
    expect(
      data
        .slice(0, 2)
        .map(({ to }) => to)
        .sort(),
    ).toEqual(['boss@example.com', 'ops@example.com'])
  })

  test('an address that does not exist can be written to again', async () => {
    await side.write((ctx) => {
      const mail_id = sendMail(ctx, magicLink, {
        to: { address: 'Gone@example.com' },
        values: magicLink.example,
      })
      suppressAddress(ctx, {
        ...{ id: newUuid(), address: 'Gone@example.com', mail_id, smtp_response: '550 5.1.1 No such user' },
      })
    })
    const list = async () => (await side.admin.get<Data<Suppression[]>>('/mail/suppressions')).body.data
    const [gone] = await list()
    expect(gone).toMatchObject({ address: 'gone@example.com', response: '550 5.1.1 No such user' })
    const path = `/mail/suppressions/${gone?.id}`
    expect(refusalOf(await stranger.admin.delete(path))).toBe('404 NOT_FOUND')
    expect((await side.admin.delete(path)).status).toBe(200)
    expect(await list()).toEqual([])
    expect(refusalOf(await side.admin.delete(path))).toBe('404 NOT_FOUND')
  })
})
