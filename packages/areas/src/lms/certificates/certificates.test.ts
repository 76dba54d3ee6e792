import { extractText, getDocumentProxy } from 'unpdf'
import { describe, expect, test } from 'vitest'
import { parseId } from '#platform/ids.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeCertificate } from '#testkit/areas/lms.ts'
import { advance, timeOf } from '#testkit/areas/test-clock.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'
import type { Enrollment } from '../enrollments/schema.ts'
import type { Certificate, Verification } from './schema.ts'
import { updateCertificateSettings } from './settings.ts'

interface One {
  data: Certificate
}

let api: TestApi
let side: Side
/** The side whose clock is moved. */
let clocked: Side

withProjects((opened, one) => {
  api = opened
  side = one.live
  clocked = one.test
})

interface Refused {
  code: string
  details?: unknown
}

const reissue = (of: Side, id: string) => of.admin.post<One>(`/lms/certificates/${id}/reissue`)

async function pdfOf(of: Side, id: string): Promise<{ type: string | null; text: string }> {
  const url = `${api.url}/api/v1/lms/certificates/${id}?format=pdf`
  const answer = await fetch(url, { headers: { authorization: `Bearer ${of.key}` } })
  const document = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  const { text } = await extractText(document, { mergePages: true })
  return { type: answer.headers.get('content-type'), text: text.replaceAll(/\s+/g, ' ') }
}

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
        data: { student_name: 'Ada Lovelace', course_title, issued_at, valid: true, replaced: false },
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
    expect(refusalOf(await side.as((await side.signIn()).token).get(`/lms/certificates/${id}`))).toBe(
      '404 NOT_FOUND',
    )
  })

  test('comes as a PDF in the language of its project, with the address where it can be verified', async () => {
    const school = (await makeProjects(api))[0].live
    const { id, code } = await makeCertificate(school, (await school.makeMember({ full_name: 'Ada' })).id)
    const pdf = await pdfOf(school, id)
    expect(pdf.type).toBe('application/pdf')
    const { name } = (await api.owner.query('select name from projects where id = $1', [school.projectId]))
      .rows[0]
    expect(pdf.text).toContain('Certificate of completion')
    expect(pdf.text).toContain(name)
    expect(pdf.text).toContain(`${api.config.BASE_URL}/certificates/${code}`)
    await api.owner.query(`update projects set language = 'es' where id = $1`, [school.projectId])
    const certificateUrl = 'https://school.example.com/v/{code}'
    await school.write((ctx) => updateCertificateSettings(ctx, { certificateUrl }))
    const own = await pdfOf(school, id)
    expect(own.text).toContain('Certificado de finalización')
    expect(own.text).toContain(`https://school.example.com/v/${code}`)
  })

  test('stands without a name, and with characters that no font has, but has no PDF; reissued, it has one', async () => {
    for (const [full_name, refusal] of [
      ['', 'NAME_REQUIRED'],
      ['🦄', 'NAME_REQUIRED'],
      ['Ada 𒀀', 'NAME_NOT_PRINTABLE'],
    ] as const) {
      const member = await side.makeMember({ full_name })
      const { id, code } = await makeCertificate(side, member.id)
      expect((await verify(code)).body.data.valid).toBe(true)
      const refused = await side.admin.get<Refused>(`/lms/certificates/${id}?format=pdf`)
      expect([refused.status, refused.body.code]).toEqual([422, refusal])
      if (refusal === 'NAME_NOT_PRINTABLE')
        expect(refused.body.details).toEqual([
          { field: 'student_name', rule: 'printable', message: expect.stringContaining('𒀀 (U+12000)') },
        ])
      await side.admin.patch(`/members/${member.id}`, { full_name: 'Ada Lovelace' })
      const { data } = (await reissue(side, id)).body
      expect((await pdfOf(side, data.id)).text).toContain('Ada Lovelace')
    }
  })
})

describe('reissuing', () => {
  test('gives a renamed person a new certificate; the old one names it, and verifies as replaced', async () => {
    const member = await side.makeMember({ full_name: 'Ada Byron' })
    const old = await makeCertificate(side, member.id)
    expect((await reissue(side, old.id)).body.data).toEqual(old)
    await side.admin.patch(`/members/${member.id}`, { full_name: 'Ada Lovelace' })
    const { data: fresh } = (await reissue(side, old.id)).body
    expect(fresh).toEqual({
      ...old,
      ...{ id: fresh.id, code: fresh.code, student_name: 'Ada Lovelace', replaced_by: null },
    })
    expect(fresh.id).not.toBe(old.id)
    expect(fresh.code).not.toBe(old.code)
    const after = (await side.admin.get<One>(`/lms/certificates/${old.id}`)).body.data
    expect(after).toEqual({ ...old, replaced_by: fresh.id })
    expect((await verify(old.code)).body.data).toMatchObject({
      ...{ student_name: 'Ada Byron', valid: false, replaced: true },
    })
    expect(JSON.stringify((await verify(old.code)).body)).not.toMatch(/Lovelace|cert_/)
    expect((await verify(fresh.code)).body.data).toMatchObject({ valid: true, replaced: false })
    expect((await pdfOf(side, old.id)).text).toContain('Replaced by a newer certificate')
    const enrollment = `/lms/enrollments/${old.enrollment_id}`
    expect((await side.admin.get<{ data: Enrollment }>(enrollment)).body.data.certificate_id).toBe(fresh.id)
    // Repeated, it answers the same one, whichever of the two is named.
    for (const id of [old.id, fresh.id]) expect((await reissue(side, id)).body.data).toEqual(fresh)
  })

  test('twenty times at once makes one certificate', async () => {
    const member = await side.makeMember({ full_name: 'Grace' })
    const old = await makeCertificate(side, member.id)
    await side.admin.patch(`/members/${member.id}`, { full_name: 'Grace Hopper' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => reissue(side, old.id)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1)
    const { rows } = await api.owner.query(
      `select type, count(*)::int from events where project_id = $1 and member_id = $2
       and type like 'certificate.%' group by 1 order by 1`,
      [side.projectId, parseId('member', member.id)],
    )
    expect(rows).toEqual([
      { type: 'certificate.issued', count: 2 },
      { type: 'certificate.replaced', count: 1 },
    ])
  })

  test('is for keys: members cannot put another name on their certificate, and no key revives a revoked one', async () => {
    const { token, memberId } = await side.signIn()
    const { id } = await makeCertificate(side, memberId)
    expect(refusalOf(await side.as(token).post(`/lms/certificates/${id}/reissue`))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    const reader = (await side.makeKey({ permissions: ['read:learning'] })).key
    expect(refusalOf(await side.as(reader).post(`/lms/certificates/${id}/reissue`))).toBe(
      '403 INSUFFICIENT_PERMISSIONS',
    )
    expect(refusalOf(await clocked.admin.post(`/lms/certificates/${id}/reissue`))).toBe('404 NOT_FOUND')
    await side.admin.post(`/lms/certificates/${id}/revoke`)
    const refused = await side.admin.post<Refused>(`/lms/certificates/${id}/reissue`)
    expect([refused.status, refused.body.code]).toEqual([422, 'CERTIFICATE_REVOKED'])
  })

  test('gives no certificate without a name, and the completion of a course after it gives no second one', async () => {
    const member = await side.makeMember({ full_name: 'Ada' })
    const { id } = await makeCertificate(side, member.id)
    await side.admin.patch(`/members/${member.id}`, { full_name: '' })
    const refused = await side.admin.post<Refused>(`/lms/certificates/${id}/reissue`)
    expect([refused.status, refused.body.code]).toEqual([422, 'NAME_REQUIRED'])
    await side.admin.patch(`/members/${member.id}`, { full_name: 'Ada King' })
    await reissue(side, id)
    const of = 'select count(*)::int from certificates where replaced_by is null and member_id = $1'
    expect((await api.owner.query(of, [parseId('member', member.id)])).rows).toEqual([{ count: 1 }])
  })
})

describe('the page of a code', () => {
  const pageOf = async (code: string) => {
    const answer = await fetch(`${api.url}/certificates/${code}`)
    return { status: answer.status, html: await answer.text() }
  }
  test('says in the language of the project whether the certificate is valid, and escapes what it shows', async () => {
    const school = (await makeProjects(api))[0].live
    await api.owner.query(`update projects set language = 'de' where id = $1`, [school.projectId])
    const { id } = await school.makeMember({ full_name: '<b>Ada</b>' })
    const certificate = await makeCertificate(school, id)
    const valid = await pageOf(certificate.code)
    expect(valid.status).toBe(200)
    for (const part of ['lang="de"', 'Dieses Zertifikat ist gültig', '&lt;b&gt;Ada&lt;/b&gt;', 'First steps'])
      expect(valid.html).toContain(part)
    expect(valid.html).not.toContain('<b>')
    await school.admin.post(`/lms/certificates/${certificate.id}/revoke`)
    expect((await pageOf(certificate.code)).html).toContain('wurde widerrufen')
  })

  test('is the same for every code that no certificate has', async () => {
    const [one, other] = [await pageOf('0000-0000-0000-0000'), await pageOf('nonsense')]
    expect([one.status, other.status]).toEqual([404, 404])
    expect(one.html).toBe(other.html)
  })
})
