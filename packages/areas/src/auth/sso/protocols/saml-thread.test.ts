import { DOMParser } from '@xmldom/xmldom'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parametersOf } from '#testkit/areas/auth/sso.ts'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import { makeSamlIdp, type SamlIdp } from '#testkit/servers/saml-idp.ts'
import { SamlThread } from './saml-thread.ts'
import { isBounded } from './xml-bounds.ts'

const party = {
  issuer: 'https://idp.example.com',
  ssoUrl: 'https://idp.example.com/sso',
  certificates: ['none'],
  domains: [],
  acs: 'https://api.example.com/acs',
  entityId: 'https://api.example.com/metadata',
}
const secrets = { requestId: '_request' }
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const SIGNATURES = 'http://www.w3.org/2000/09/xmldsig#'

/** As long an answer as may be sent, of one thing again and again. */
function answerOf(part: (i: number) => string, close = ''): string {
  const head = `<p:Response xmlns:p="${PROTOCOL}" xmlns:s="${SIGNATURES}" InResponseTo="_request"><p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>`
  const tail = '</p:Response>'
  const room = 380 * 1024 - head.length - tail.length
  let middle = ''
  let end = ''
  for (let i = 0; middle.length + end.length < room; i++) {
    middle += part(i)
    end += close
  }
  return Buffer.from(head + middle + end + tail).toString('base64')
}

const PROJECT = '00000000-0000-7000-8000-000000000001'
const HOSTILE: [string, () => string][] = [
  ['nested elements', () => answerOf(() => '<a>', '</a>')],
  ['elements beside each other', () => answerOf(() => '<a/>')],
  ['references', () => answerOf((i) => `<s:Reference URI="#_${i}"/>`)],
  ['a few thousand references', () => answerOf((i) => `<s:Reference URI="#_${i}${'x'.repeat(80)}"/>`)],
  [
    'attributes',
    () => answerOf((i) => `<a ${Array.from({ length: 900 }, (_, n) => `b${n}="${i}"`).join(' ')}/>`),
  ],
  ['namespaces', () => answerOf((i) => `<a xmlns:n${i}="urn:${i}">`, '</a>')],
  ['marks that never end', () => Buffer.from('<'.repeat(380 * 1024)).toString('base64')],
  ['quotes that never end', () => Buffer.from('<a b="'.repeat(60 * 1024)).toString('base64')],
  ['text', () => answerOf(() => 'x'.repeat(1_000))],
]

describe('an answer of 512 KiB', () => {
  const thread = new SamlThread()
  afterAll(() => thread.close())
  test.each(HOSTILE)('of %s is refused, and is no work of this thread', async (_what, make) => {
    const text = make()
    const parsed = vi.spyOn(DOMParser.prototype, 'parseFromString')
    await expect(thread.read({ party, text, secrets }, PROJECT)).rejects.toMatchObject({ name: 'SamlFault' })
    expect(parsed).not.toHaveBeenCalled()
    parsed.mockRestore()
  })
})

test('what takes too long is given up, and the next one is read', async () => {
  const hasty = new SamlThread(0)
  const text = answerOf((i) => `<a b="${i}"${'x'.repeat(100)}/>`)
  await expect(hasty.read({ party, text, secrets }, PROJECT)).rejects.toThrow('could not be read in time')
  await hasty.close()
  const patient = new SamlThread()
  await expect(patient.read({ party, text: 'x', secrets }, PROJECT)).rejects.toThrow('no SAML response')
  await patient.close()
})

test('size and depth are judged without parsing: what lies in comments, data and quotes is text', () => {
  const deep = (levels: number) => `${'<a>'.repeat(levels)}${'</a>'.repeat(levels)}`
  expect(isBounded(deep(100))).toBe(true)
  expect(isBounded(deep(101))).toBe(false)
  expect(isBounded('<a/>'.repeat(5_000))).toBe(true)
  expect(isBounded('<a/>'.repeat(5_001))).toBe(false)
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?x ', '?>'],
    ['<a b="', '"/>'],
  ])
    expect(isBounded(`<r>${open}${'<a>'.repeat(6_000)}${close}</r>`)).toBe(true)
  const many = (n: number) => `<a ${Array.from({ length: n }, (_, i) => `b${i}="x"`).join(' ')}/>`
  expect([isBounded(many(50)), isBounded(many(51))]).toEqual([true, false])
  // Somebody hides what comes behind in what only looks like a comment.
  expect(isBounded(`<r b="<!--">${'<a>'.repeat(6_000)}</r>`)).toBe(false)
})

describe('over HTTP', () => {
  let sso: SsoEnvironment
  let idp: SamlIdp
  beforeAll(async () => {
    sso = await startSsoEnvironment()
    idp = await makeSamlIdp()
  })
  afterAll(() => sso.close())

  test('a login with such an answer fails like other failed logins', async () => {
    const connection = await sso.connectSaml(idp.metadata)
    for (const [what, make] of HOSTILE) {
      const { url } = await sso.site.begin(connection.id)
      const RelayState = new URL(url).searchParams.get('RelayState') ?? ''
      const raw = new URLSearchParams({ SAMLResponse: make(), RelayState }).toString()
      const answer = await sso.api.send('POST', `/api/v1/auth/sso/${connection.id}/acs`, {
        raw,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expect({ what, error: parametersOf(sso.home, answer).get('error') }).toEqual({
        what,
        error: 'provider_error',
      })
    }
  })
})
