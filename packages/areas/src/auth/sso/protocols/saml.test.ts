import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parametersOf } from '#testkit/areas/auth/sso.ts'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import { refusalOf } from '#testkit/refusal.ts'
import {
  attributes,
  makeSamlIdp,
  type SamlForm,
  type SamlIdp,
  type Statement,
} from '#testkit/servers/saml-idp.ts'
import type { Connection } from '../schema.ts'

const SHA1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
const MINUTE_MS = 60_000
let sso: SsoEnvironment
let idp: SamlIdp
let connection: Connection
let service: string
let made = 0

beforeAll(async () => {
  sso = await startSsoEnvironment()
  idp = await makeSamlIdp()
  ;({ connection, service } = await connect({ domains: ['acme.example'] }))
})
afterAll(() => sso.close())

async function connect(more: object = {}) {
  const connection = await sso.connectSaml(idp.metadata, more)
  const { body } = await sso.api.send<string>('GET', `/api/v1/auth/sso/${connection.id}/metadata`)
  return { connection, service: body }
}

/** Somebody new, as the provider tells of them. */
function somebody(email = `saml${++made}@acme.example`): Partial<Statement> & { NameID: string } {
  return {
    NameID: `subject ${++made}`,
    AttributeStatement: attributes({ email, displayName: 'Ada Lovelace' }),
  }
}
const post = (form: Partial<SamlForm>, id = connection.id) =>
  sso.api.send<{ code?: string }>('POST', `/api/v1/auth/sso/${id}/acs`, {
    raw: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const decode = (form: SamlForm) => Buffer.from(form.SAMLResponse, 'base64').toString()
const encode = (form: SamlForm, xml: string) => ({
  ...form,
  SAMLResponse: Buffer.from(xml).toString('base64'),
})

/** Logs somebody in by an answer that says `changes` in place of the truth, and that `twist` got hold of. */
async function answer(changes: Partial<Statement>, twist = (form: SamlForm) => form, by = idp) {
  const { url, verifier } = await sso.site.begin(connection.id)
  const form = twist(await by.answer(url, service, changes))
  return { form, verifier, parameters: parametersOf(sso.home, await post(form)) }
}
const errorOf = async (...how: Parameters<typeof answer>) => (await answer(...how)).parameters.get('error')
const isKnown = async (subject: string) =>
  (await sso.sql('select 1 from sso_identities where subject = $1', [subject])).length > 0

describe('a login by a SAML provider', () => {
  test('makes a member of somebody new, and finds them again', async () => {
    const who = somebody('ada@acme.example')
    const first = await answer(who)
    expect([...first.parameters.keys()]).toEqual(['code'])
    const { body } = await sso.site.exchange(first.parameters.get('code'), first.verifier)
    expect(body.member).toMatchObject({
      email: 'ada@acme.example',
      full_name: 'Ada Lovelace',
      status: 'active',
    })
    const again = await answer({ ...who, AttributeStatement: '' })
    const exchanged = await sso.site.exchange(again.parameters.get('code'), again.verifier)
    expect(exchanged.body.member.id).toBe(body.member.id)
  })

  test('knows a confirmed member by an address of its domains, and no other', async () => {
    const { email, id } = await sso.side.makeMember({ email: 'known@acme.example' })
    await sso.sql('update members set email_verified_at = now() where email = $1', [email])
    const { parameters, verifier } = await answer(somebody(email))
    expect((await sso.site.exchange(parameters.get('code'), verifier)).body.member.id).toBe(id)
    expect(await errorOf(somebody('ada@elsewhere.example'))).toBe('domain_not_allowed')
    expect(await errorOf({ NameID: 'without an address' })).toBe('email_missing')
    const open = await connect()
    const { url } = await sso.site.begin(open.connection.id)
    const form = await idp.answer(url, open.service, somebody(email))
    const parametersOfOpen = parametersOf(sso.home, await post(form, open.connection.id))
    expect(parametersOfOpen.get('error')).toBe('email_not_verified')
  })

  test('says that the provider has refused', async () => {
    const refusal = { StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }
    expect(await errorOf({ ...somebody(), ...refusal })).toBe('access_denied')
  })
})

describe('an answer', () => {
  const past = new Date(Date.now() - 10 * MINUTE_MS).toISOString()
  const future = new Date(Date.now() + 10 * MINUTE_MS).toISOString()
  test.each<[string, Partial<Statement>]>([
    ['has expired', { ConditionsNotOnOrAfter: past }],
    ['is not good yet', { ConditionsNotBefore: future }],
    ['is confirmed no longer', { SubjectConfirmationDataNotOnOrAfter: past }],
    ['is confirmed for no time', { SubjectConfirmationDataNotOnOrAfter: 'whenever' }],
    ['is for another audience', { Audience: 'https://mallory.example' }],
    ['is for another recipient', { SubjectRecipient: 'https://mallory.example/acs' }],
    ['was sent to another destination', { Destination: 'https://mallory.example/acs' }],
    ['is to another request', { InResponseTo: '_another' }],
    ['is to no request', { InResponseTo: '' }],
    ['is of another issuer', { Issuer: 'https://mallory.example' }],
    ['names nobody', { NameID: '' }],
    ['names somebody for once', { NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }],
  ])('that %s is refused', async (_what, changes) => {
    expect(await errorOf({ ...somebody(), ...changes })).toBe('provider_error')
  })

  const unsigned = (xml: string) => xml.replace(/<ds:Signature[\s\S]*?<\/ds:Signature>/, '')
  test.each<[string, (xml: string) => string]>([
    ['unsigned', unsigned],
    ['changed', (xml) => xml.replace('Ada Lovelace', 'Eve Lovelace')],
    [
      'to another request than the assertion',
      (xml) => xml.replace(/InResponseTo="[^"]+"/, 'InResponseTo="_x"'),
    ],
    ['cut', (xml) => xml.slice(0, -20)],
    ['given a document type', (xml) => `<!DOCTYPE a [<!ENTITY b "c">]>${xml}`],
    ['no response', () => '<a/>'],
    ['nothing', () => ' '],
  ])('that is %s is refused', async (_what, twist) => {
    expect(await errorOf(somebody(), (form) => encode(form, twist(decode(form))))).toBe('provider_error')
  })

  test('that somebody else has signed, or that is signed by SHA-1, is refused', async () => {
    const forger = await makeSamlIdp(idp.entityId)
    expect(await errorOf(somebody(), undefined, forger)).toBe('provider_error')
    const weak = await makeSamlIdp(idp.entityId, SHA1)
    const { id } = connection
    await sso.side.admin.patch(`/sso-connections/${id}`, { metadata: weak.metadata })
    expect(await errorOf(somebody(), undefined, weak)).toBe('provider_error')
    await sso.side.admin.patch(`/sso-connections/${id}`, { metadata: idp.metadata })
  })

  /** The signed assertion, and one that says of somebody else what the provider has never asserted. */
  const parts = (xml: string) => {
    const [real = ''] = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml) ?? []
    const [signature = ''] = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(real) ?? []
    const forged = (id = '_forged') =>
      unsigned(real)
        .replace(/ ID="[^"]+"/, ` ID="${id}"`)
        .replace(/(<saml:NameID[^>]*>)[^<]+/, '$1victim')
    return { real, signature, forged, id: / ID="([^"]+)"/.exec(real)?.[1] ?? '' }
  }
  const put = (xml: string, inPlace: string) =>
    xml.replace(/<saml:Assertion[\s\S]*<\/saml:Assertion>/, () => inPlace)
  const inside = (assertion: string, more: string) =>
    assertion.replace('</saml:Issuer>', () => `</saml:Issuer>${more}`)
  test.each<[string, (xml: string) => string]>([
    ['beside the forged one', (xml) => put(xml, parts(xml).forged() + parts(xml).real)],
    ['before the forged one', (xml) => put(xml, parts(xml).real + parts(xml).forged())],
    ['in the forged one', (xml) => put(xml, inside(parts(xml).forged(), parts(xml).real))],
    ['around the forged one', (xml) => put(xml, inside(parts(xml).real, parts(xml).forged()))],
    [
      'in the signature of the forged one',
      (xml) => {
        const { signature, forged, real } = parts(xml)
        const wrapped = signature.replace(
          '</ds:Signature>',
          () => `<ds:Object>${unsigned(real)}</ds:Object></ds:Signature>`,
        )
        return put(xml, inside(forged(), wrapped))
      },
    ],
    [
      'in extensions, before the forged one with its signature',
      (xml) => {
        const { signature, forged, real } = parts(xml)
        return put(
          xml,
          `<samlp:Extensions>${unsigned(real)}</samlp:Extensions>${inside(forged(), signature)}`,
        )
      },
    ],
    [
      'in extensions, with the forged one under its id',
      (xml) => {
        const { signature, forged, real, id } = parts(xml)
        return put(xml, `<samlp:Extensions>${real}</samlp:Extensions>${inside(forged(id), signature)}`)
      },
    ],
  ])('whose signed assertion stands %s (signature wrapping) is refused', async (_where, twist) => {
    expect(await errorOf(somebody(), (form) => encode(form, twist(decode(form))))).toBe('provider_error')
    expect(await isKnown('victim')).toBe(false)
  })

  test('does not make somebody else of a name by a comment in it', async () => {
    const who = { ...somebody(), NameID: 'admin.mallory' }
    await answer(who, (form) => encode(form, decode(form).replace('admin.mallory', 'admin<!-- -->.mallory')))
    expect(await isKnown('admin')).toBe(false)
  })

  test('is taken once, and an assertion is too, even if its login came up again', async () => {
    const { url } = await sso.site.begin(connection.id)
    const form = await idp.answer(url, service, somebody())
    await sso.sql('create table kept as select * from sso_logins order by created_at desc limit 1')
    expect(parametersOf(sso.home, await post(form)).get('code')).toBeTruthy()
    expect(await post(form)).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
    await sso.sql('insert into sso_logins select * from kept')
    expect(parametersOf(sso.home, await post(form)).get('error')).toBe('provider_error')
    await sso.sql('drop table kept')
  })

  test('that nobody has asked for is refused: logins begin at the site', async () => {
    const { url } = await sso.site.begin(connection.id)
    const { SAMLResponse, RelayState } = await idp.answer(url, service, somebody())
    for (const form of [{ SAMLResponse }, { SAMLResponse, RelayState: 'x' }])
      expect(await post(form)).toMatchObject({ status: 400, body: { code: 'INVALID_STATE' } })
    // Another connection's address is another place.
    const other = await connect()
    expect((await post({ SAMLResponse, RelayState }, other.connection.id)).body.code).toBe('INVALID_STATE')
    // And an OpenID callback is no place for it at all.
    const begun = await sso.site.begin(connection.id)
    const state = new URL(begun.url).searchParams.get('RelayState') ?? ''
    expect((await sso.get(`${sso.callback}?code=x&state=${state}`)).body.code).toBe('INVALID_STATE')
  })

  test('of whom there is no connection, or that is no form, is refused', async () => {
    const missing = 'sso_01jcq3k8f7e8qtk4m3hbw7rn2g'
    expect(refusalOf(await post({ SAMLResponse: 'x' }, missing))).toBe('404 NOT_FOUND')
    expect(refusalOf(await post({}))).toBe('422 VALIDATION_ERROR')
    expect(refusalOf(await post({ SAMLResponse: 'x', RelayState: 'y'.repeat(300) }))).toBe(
      '422 VALIDATION_ERROR',
    )
  })
})
