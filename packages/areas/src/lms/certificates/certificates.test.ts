import { execFileSync, spawnSync } from 'node:child_process'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, type TestApi } from '#testkit/api.ts'
import { makeCertificate } from '#testkit/areas/lms.ts'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { renderCertificate } from './pdf/render-certificate.ts'
import type { Certificate, Verification } from './schema.ts'

interface One {
  data: Certificate
}

let api: TestApi
let side: Side
/** The side whose clock is moved. */
let clocked: Side

beforeAll(async () => {
  api = await sharedApi()
  const [one] = await makeProjects(api)
  side = one.live
  clocked = one.test
})
afterAll(() => api.close())

const verify = (code: string, from?: string) =>
  api.send<{ data: Verification; code?: string }>('GET', `/api/v1/lms/certificates/verify/${code}`, {
    ...(from !== undefined && { from }),
  })

describe('verifying', () => {
  test('tells a stranger name, course, date and validity, and nothing else', async () => {
    const { id } = await side.makeMember({ full_name: 'Ada Lovelace' })
    const { code, issued_at, course_title } = await makeCertificate(side, id)
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
    const typed = code.replaceAll('-', '').toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')
    for (const text of [code, typed])
      expect((await verify(text)).body).toEqual({
        success: true,
        data: { student_name: 'Ada Lovelace', course_title, issued_at, valid: true },
      })
  })

  test('answers every other code in the same way, however close, and is limited', async () => {
    const { code } = await makeCertificate(side)
    const close = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0')
    const [near, far] = [await verify(close), await verify('0000-0000-0000-0000')]
    for (const { status, body } of [near, far, await verify('nonsense')])
      expect([status, body.code]).toEqual([404, 'NOT_FOUND'])
    expect({ ...near.body, request_id: '' }).toEqual({ ...far.body, request_id: '' })
    const statuses = []
    for (let i = 0; i < 31; i++) statuses.push((await verify(close, '10.99.0.1')).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test('says of a revoked one that it is not valid', async () => {
    const { id, code } = await makeCertificate(side)
    const revoked = await side.admin.post<One>(`/lms/certificates/${id}/revoke`, { reason: 'A mistake' })
    expect(revoked.body.data.revoked_at).not.toBeNull()
    expect((await verify(code)).body.data.valid).toBe(false)
    const again = await side.admin.post<One>(`/lms/certificates/${id}/revoke`)
    expect(again.body.data.revoked_at).toBe(revoked.body.data.revoked_at)
  })

  test('still works without a name when its member is forgotten', async () => {
    const { id } = await side.makeMember({ full_name: 'Forget Me' })
    const { code } = await makeCertificate(side, id)
    await side.admin.delete(`/members/${id}?mode=anonymize`)
    expect((await verify(code)).body.data).toMatchObject({ student_name: '', valid: true })
  })
})

describe('a certificate', () => {
  test('is issued and revoked by the clock of the test side, in this order', async () => {
    await advance(clocked, { days: 365 })
    const begin = await timeOf(clocked)
    const { id, issued_at } = await makeCertificate(clocked)
    await advance(clocked, { days: 1 })
    const end = await timeOf(clocked)
    const { revoked_at } = (await clocked.admin.post<One>(`/lms/certificates/${id}/revoke`)).body.data
    expect([begin, issued_at, end, revoked_at].toSorted()).toEqual([begin, issued_at, end, revoked_at])
  })

  test('is shown to its member and to keys, and to nobody else', async () => {
    const { token, memberId } = await side.signIn()
    const { id } = await makeCertificate(side, memberId)
    expect((await side.as(token).get<One>(`/lms/certificates/${id}`)).body.data.student_id).toBe(memberId)
    expect((await side.admin.get(`/lms/certificates/${id}`)).status).toBe(200)
    expect((await side.as((await side.signIn()).token).get(`/lms/certificates/${id}`)).status).toBe(404)
  })

  test('comes as a PDF', async () => {
    const { id } = await makeCertificate(side)
    const url = `${api.url}/api/v1/lms/certificates/${id}?format=pdf`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${side.key}` } })
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
  })
})

const NAMES = [
  ['Latin', 'Zoë Müller-Øster'],
  ['Greek', 'Σωκράτης Παπαδόπουλος'],
  ['Cyrillic', 'Фёдор Достоевский'],
  ['Ukrainian', 'Ґалаґан Їжакевич'],
  ['Arabic', 'محمد عبد الرحمن الخوارزمي'],
  ['Persian', 'پرویز ژاله چنگیز'],
  ['Hebrew', 'דוד גוריון'],
  ['Chinese', '王小明'],
  ['Japanese', '山田たろう'],
] as const
const page = (studentName: string) => ({
  studentName,
  courseTitle: 'First steps',
  issuedAt: '2026-11-22T09:00:00.000Z',
  code: '7ZQK-3M9X-T0AB-WD52',
  revoked: false,
})
const textOf = async (pdf: Uint8Array) =>
  (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })).text.replaceAll(
    /\s+/g,
    ' ',
  )
const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined

describe('the page of a certificate', () => {
  test.each(NAMES)('has a name in %s letters, and embeds all fonts', async (_script, name) => {
    const pdf = await renderCertificate(page(name))
    expect(pdf.length).toBeLessThan(100_000)
    const letters = (all: string) => [...all.replaceAll(/[\s\p{Cc}]/gu, '')].sort().join('')
    const plain = await textOf(pdf)
    expect(plain).toContain('First steps')
    expect(plain).toContain('22 November 2026')
    expect(plain).toContain('7ZQK-3M9X-T0AB-WD52')
    // Whoever reads a PDF decides in which order words of the other direction come; none of their letters is lost.
    const rest = plain.replace('Certificate of completion', '').split('has completed')[0] ?? ''
    expect(letters(rest)).toBe(letters(name))
  })

  test('shows a question mark for a letter that no font has, and leaves out what is no letter', async () => {
    const plain = await textOf(await renderCertificate({ ...page('김 Kim 🦄'), courseTitle: '🎉' }))
    expect(plain).toContain('Certificate of completion ? Kim has completed 22 November 2026')
    expect(await textOf(await renderCertificate(page('')))).toContain('First steps')
  })

  test.runIf(hasPdftotext).each(NAMES)(
    'gives a name in %s letters back to pdftotext',
    async (_script, name) => {
      const pdf = await renderCertificate(page(name))
      const text = execFileSync('pdftotext', ['-', '-'], { input: pdf, encoding: 'utf8' })
      // Marks that embed a direction are not part of the name.
      expect(text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')).toContain(name)
    },
  )
})
