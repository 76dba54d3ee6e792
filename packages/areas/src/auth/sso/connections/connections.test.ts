import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { httpReceiver } from '#testkit/servers/receiver.ts'
import { makeSamlIdp, type SamlIdp } from '#testkit/servers/saml-idp.ts'
import type { Connection } from '../schema.ts'

interface Body {
  code?: string
  data: Connection
  details?: { field: string; rule: string }[]
}

let sso: SsoEnvironment
let idp: SamlIdp

beforeAll(async () => {
  sso = await startSsoEnvironment()
  idp = await makeSamlIdp()
})
afterAll(() => sso.close())

const create = (body: object) => sso.side.admin.post<Body>('/sso-connections', { name: 'Acme', ...body })
const change = (id: string, body: object) => sso.side.admin.patch<Body>(`/sso-connections/${id}`, body)
const faultsOf = ({ body }: { body: Body }) => body.details?.map(({ field, rule }) => `${field} ${rule}`)
const oidc = (more: object = {}) => {
  const { issuer, clientId: client_id } = sso.provider
  return { type: 'oidc', issuer, client_id, ...more }
}

describe('an OpenID connection', () => {
  test('is made once its provider has been identified, and never shows its secret', async () => {
    const made = await create(
      oidc({ client_secret: 'between us', domains: ['Acme.example', 'acme.example'] }),
    )
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      type: 'oidc',
      issuer: sso.provider.issuer,
      domains: ['acme.example'],
      enabled: true,
      required: false,
      has_client_secret: true,
      callback_url: expect.stringMatching(/\/auth\/sso\/sso_\w+\/callback$/),
      uses_old_callback: false,
      service_metadata_url: null,
      sso_url: null,
    })
    const { id } = made.body.data
    const shown = await sso.side.admin.get<Body>(`/sso-connections/${id}`)
    expect(shown.body.data).toEqual(made.body.data)
    const listed = await sso.side.admin.get('/sso-connections')
    const changed = await change(id, { client_secret: 'another', name: 'New' })
    expect(changed.body.data.name).toBe('New')
    expect(JSON.stringify([made, shown, listed, changed])).not.toMatch(/between us|another/)
    expect((await change(id, { client_secret: null })).body.data.has_client_secret).toBe(false)
    const created = await sso.events('sso_connection.created')
    expect(JSON.stringify(created)).not.toContain('between us')
    expect(created.map((event) => event.id)).toContain(id)
  })

  test.each([
    [{ type: 'oidc' }, ['issuer required', 'client_id required']],
    [{ type: 'oidc', issuer: 'http://10.0.0.1', client_id: 'x' }, ['issuer address']],
    [{ type: 'oidc', issuer: 'http://169.254.169.254', client_id: 'x' }, ['issuer address']],
    [{ type: 'oidc', issuer: 'javascript:alert(1)', client_id: 'x' }, ['issuer scheme']],
    [{ type: 'oidc', issuer: 'http://localhost:1/', client_id: 'x' }, ['issuer port']],
    [{ type: 'oidc', issuer: 'http://127.0.0.1:1025', client_id: 'x' }, ['issuer discovery']],
    [
      { type: 'oidc', issuer: 'http://127.0.0.1:1025/.well-known/openid-configuration', client_id: 'x' },
      ['issuer format'],
    ],
    [{ type: 'oidc', issuer: 'http://127.0.0.1:1025', client_id: 'x', metadata: '<a/>' }, ['metadata type']],
    [{ type: 'oidc', issuer: 'http://127.0.0.1:1025', client_id: 'x', required: true }, ['required domains']],
  ])('that is %j is refused', async (body, faults) => {
    const answer = await create(body)
    expect(answer).toMatchObject({ status: 422, body: { code: 'VALIDATION_ERROR' } })
    expect(faultsOf(answer)).toEqual(faults)
  })

  test('is refused where the document names another issuer, or nothing that can be used', async () => {
    let document: object = {}
    const liar = await httpReceiver((_request, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(document)),
    )
    const issuer = `http://127.0.0.1:${liar.port}`
    const endpoints = { token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` }
    for (const wrong of [
      { issuer: sso.provider.issuer, authorization_endpoint: `${issuer}/auth`, ...endpoints },
      { issuer, ...endpoints },
      { issuer, authorization_endpoint: 'javascript:alert(1)', ...endpoints },
      { issuer, authorization_endpoint: 'http://10.0.0.1/auth', ...endpoints },
    ]) {
      document = wrong
      expect(faultsOf(await create(oidc({ issuer })))).toEqual(['issuer discovery'])
    }
    document = { issuer, authorization_endpoint: `${issuer}/auth`, ...endpoints }
    expect((await create(oidc({ issuer }))).status).toBe(201)
    await liar.close()
  })

  test('does not become another provider’s', async () => {
    const { id } = (await create(oidc())).body.data
    expect(refusalOf(await change(id, { issuer: 'https://mallory.example' }))).toBe('422 VALIDATION_ERROR')
    expect(faultsOf(await change(id, { metadata: idp.metadata }))).toEqual(['metadata type'])
    expect(faultsOf(await change(id, { required: true }))).toEqual(['required domains'])
  })
})

describe('a SAML connection', () => {
  test('is made of its provider’s metadata, given or read', async () => {
    const given = await create({ type: 'saml', metadata: idp.metadata })
    expect(given.status).toBe(201)
    const { id, ...shown } = given.body.data
    expect(shown).toMatchObject({
      issuer: idp.entityId,
      sso_url: 'https://idp.acme.example/login',
      certificate_fingerprints: [expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)],
      callback_url: `${sso.api.config.BASE_URL}/api/v1/auth/sso/${id}/acs`,
      service_metadata_url: `${sso.api.config.BASE_URL}/api/v1/auth/sso/${id}/metadata`,
    })
    const server = await httpReceiver((_request, response) => response.end(idp.metadata))
    const metadata_url = `http://127.0.0.1:${server.port}/metadata`
    const read = await create({ type: 'saml', metadata_url })
    expect(read.body.data).toMatchObject({ issuer: idp.entityId, metadata_url })
    await server.close()
    expect(faultsOf(await create({ type: 'saml', metadata_url }))).toEqual(['metadata_url fetch'])
  })

  test('takes its provider’s new certificates, and no other provider', async () => {
    const { id, certificate_fingerprints: before } = (await create({ type: 'saml', metadata: idp.metadata }))
      .body.data
    const rolled = await change(id, { metadata: (await makeSamlIdp()).metadata })
    expect(rolled.status).toBe(200)
    expect(rolled.body.data.certificate_fingerprints).not.toEqual(before)
    const other = await makeSamlIdp('https://mallory.example')
    expect(faultsOf(await change(id, { metadata: other.metadata }))).toEqual(['metadata issuer'])
    expect(faultsOf(await change(id, { client_id: 'x' }))).toEqual(['client_id type'])
  })

  test.each([
    ['no XML', () => 'metadata'],
    ['XML that is cut', () => idp.metadata.slice(0, -10)],
    ['a document type', () => `<!DOCTYPE a [<!ENTITY b "c">]>${idp.metadata}`],
    [
      'another document',
      () => '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="x"/>',
    ],
    ['no certificate', () => idp.metadata.replace(/<KeyDescriptor[\s\S]*<\/KeyDescriptor>/, '')],
    ['a certificate that is none', () => idp.metadata.replace(/(X509Certificate>)[^<]+/, '$1AAAA')],
    [
      'a login that runs a script',
      () => idp.metadata.replaceAll('https://idp.acme.example/login', 'javascript:1'),
    ],
    ['no name', () => idp.metadata.replace(/entityID="[^"]+"/, 'entityID=""')],
  ])('of metadata that is %s is refused', async (_what, metadata) => {
    const answer = await create({ type: 'saml', metadata: metadata() })
    expect([answer.status, faultsOf(answer)]).toEqual([422, ['metadata metadata']])
  })

  test('needs metadata once', async () => {
    expect(faultsOf(await create({ type: 'saml' }))).toEqual(['metadata required'])
    const both = { type: 'saml', metadata: idp.metadata, metadata_url: 'https://idp.acme.example/metadata' }
    expect(faultsOf(await create(both))).toEqual(['metadata required'])
  })

  test('tells its provider what there is to know, without a credential, and an OpenID one nothing', async () => {
    const { id } = (await create({ type: 'saml', metadata: idp.metadata })).body.data
    const { status, headers, body } = await sso.api.send<string>('GET', `/api/v1/auth/sso/${id}/metadata`)
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('samlmetadata+xml')])
    expect(body).toContain(`Location="${sso.api.config.BASE_URL}/api/v1/auth/sso/${id}/acs"`)
    expect(body).toContain('WantAssertionsSigned="true"')
    const none = await sso.api.send('GET', `/api/v1/auth/sso/${sso.connection.id}/metadata`)
    expect(refusalOf(none)).toBe('404 NOT_FOUND')
  })
})
