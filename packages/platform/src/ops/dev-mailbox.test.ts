import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import { cloneDatabase, type TestDatabase } from '#testkit/database.ts'
import { makeProjects } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'

const eml = (to: string, subject: string, text: string, markup: string) =>
  [
    'From: Guild <no-reply@guild.example>',
    `To: ${to}`,
    `Subject: ${subject}`,
    'Date: Sat, 21 Nov 2026 09:00:00 +0000',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    text,
    '--b',
    'Content-Type: text/html',
    '',
    markup,
    '--b--',
    '',
  ].join('\r\n')

interface Mailbox {
  success: true
  data: { id: string; to: string[]; subject: string; text: string; html: string; links: string[] }[]
}

let database: TestDatabase
let folder: string
let api: TestApi
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-mailbox-'))
  const link = 'https://guild.example/continue?token=t'
  await writeFile(
    join(folder, '1-old.eml'),
    eml('Ada <Ada@example.com>', 'Log in', `${link}\r\n\r\n123456`, `<a href="${link}">x</a>`),
  )
  const script = '<script>alert(1)</script>"\'&'
  await writeFile(join(folder, '2-new.eml'), eml('eve@example.com', script, script, script))
  await writeFile(join(folder, '3-half.part'), 'half')
  database = await cloneDatabase()
  api = await startApi({ database, environment: { MAILBOX_DIR: folder } })
})
afterAll(async () => {
  await api.close()
  await database.drop()
  await rm(folder, { recursive: true })
})

const get = (path: string, headers: Record<string, string> = {}) =>
  api.send<never>('GET', path, { headers: { host: '127.0.0.1:3000', ...headers } })
const page = (path: string) => get(path, { accept: 'text/html,*/*' })

describe('the mailbox', () => {
  test('shows what was caught, the newest first, with links to follow', async () => {
    const { status, body }: { status: number; body: Mailbox } = await get('/dev/mailbox')
    expect([status, body.data.map((mail) => mail.id)]).toEqual([200, ['2-new', '1-old']])
    expect(body.data[1]).toMatchObject({
      to: ['ada@example.com'],
      subject: 'Log in',
      links: ['https://guild.example/continue?token=t'],
    })
    expect(body.data[1]?.text).toContain('123456')
  })

  test('shows one person’s mails, and one mail', async () => {
    const theirs: { body: Mailbox } = await get('/dev/mailbox?to=ADA@example.com')
    expect(theirs.body.data.map((mail) => mail.id)).toEqual(['1-old'])
    const one: { body: { data: Mailbox['data'][number] } } = await get('/dev/mailbox/1-old')
    expect(one.body.data.subject).toBe('Log in')
  })

  test('is a page for browsers, in which nothing of a mail runs', async () => {
    for (const path of ['/dev/mailbox', '/dev/mailbox/2-new']) {
      const { status, headers, body } = await page(path)
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src/)
      expect(String(body)).not.toContain('<script')
      expect(String(body)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;')
    }
  })

  test.each(['3-half', '..%2F1-old', '%2e%2e%2fpackage', 'none'])('has no mail %s', async (id) => {
    expect(refusalOf(await get(`/dev/mailbox/${id}`))).toBe('404 NOT_FOUND')
  })

  test('is not shown to other origins, nor under another name of this machine', async () => {
    expect(refusalOf(await get('/dev/mailbox', { origin: 'https://evil.example' }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(refusalOf(await get('/dev/mailbox', { host: 'evil.example:3000' }))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect((await get('/dev/mailbox', { origin: 'http://127.0.0.1:3000' })).status).toBe(200)
    expect((await get('/dev/mailbox', { host: 'localhost:3000' })).status).toBe(200)
  })

  test('does not exist where mail is sent in earnest', async () => {
    const earnest = await startApi({ database })
    const [{ live }] = await makeProjects(earnest)
    for (const path of ['/dev/mailbox', '/dev/mailbox/1-old'])
      expect(refusalOf(await earnest.send('GET', path, { key: live.key }))).toBe('404 NOT_FOUND')
    await earnest.close()
  })
})
