import type { IncomingMessage, ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SsoEnvironment, startSsoEnvironment } from '#testkit/environments/sso-environment.ts'
import { httpReceiver, type Receiver } from '#testkit/servers/receiver.ts'
import type { Connection } from '../schema.ts'

// What no real provider says: ID tokens that are forged, each in one place.

let sso: SsoEnvironment
let server: Receiver
let issuer: string
let connection: Connection
let keys: Awaited<ReturnType<typeof generateKeyPair>>
/** What the token endpoint answers. */
let idToken = ''
let status = 200

beforeAll(async () => {
  sso = await startSsoEnvironment()
  keys = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const answers: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': () => ({ access_token: 'x', token_type: 'Bearer', id_token: idToken }),
  }
  server = await httpReceiver((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? ''
    response.writeHead(path === '/token' ? status : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answers[path]?.() ?? {}))
  })
  issuer = `http://127.0.0.1:${server.port}`
  connection = await sso.connect({ issuer })
})
afterAll(async () => {
  await server.close()
  await sso.close()
})

const now = () => Math.floor(Date.now() / 1_000)
const sign = (claims: object, header: object = {}, key = keys.privateKey) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key)

/** What becomes of a login whose ID token says the truth but for `changes`. */
async function outcome(changes: object, forge: (claims: object) => Promise<string> | string = sign) {
  const { url } = await sso.site.begin(connection.id)
  const asked = new URL(url).searchParams
  const truth = {
    iss: issuer,
    aud: sso.provider.clientId,
    sub: 'somebody',
    nonce: asked.get('nonce'),
    iat: now(),
    exp: now() + 300,
    email: 'somebody@acme.example',
    email_verified: true,
  }
  idToken = await forge({ ...truth, ...changes })
  const parameters = await sso.site.ssoCallback(
    `${connection.callback_url}?code=x&state=${asked.get('state')}`,
  )
  return parameters.get('error') ?? 'let in'
}

test('one that says the truth lets in, so that the others are refused for what they say', async () => {
  expect(await outcome({})).toBe('let in')
})

test.each([
  ['another issuer', { iss: 'https://mallory.example' }],
  ['another audience', { aud: 'another' }],
  ['another nonce', { nonce: 'another' }],
  ['no nonce', { nonce: undefined }],
  ['a time that is over', { iat: now() - 600, exp: now() - 300 }],
  ['no end', { exp: undefined }],
  ['nobody', { sub: undefined }],
])('an ID token that names %s is refused', async (_what, changes) => {
  expect(await outcome(changes)).toBe('provider_error')
})

test('an ID token that is unsigned, signed with a shared secret, by another key or an unknown one, is refused', async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(await outcome({}, (claims) => `${part({ alg: 'none' })}.${part(claims)}.`)).toBe('provider_error')
  const secret = new TextEncoder().encode(sso.provider.clientSecret)
  const shared = (claims: object) =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(secret)
  expect(await outcome({}, shared)).toBe('provider_error')
  const other = await generateKeyPair('RS256')
  expect(await outcome({}, (claims) => sign(claims, {}, other.privateKey))).toBe('provider_error')
  expect(await outcome({}, (claims) => sign(claims, { kid: 'two' }, other.privateKey))).toBe('provider_error')
  expect(await outcome({}, () => 'no token')).toBe('provider_error')
})

test('a provider that takes no code, or is away, leads back with an error too', async () => {
  status = 400
  expect(await outcome({})).toBe('provider_error')
  status = 200
  const { url } = await sso.site.begin(connection.id)
  const state = new URL(url).searchParams.get('state')
  await server.close()
  const parameters = await sso.site.ssoCallback(`${connection.callback_url}?code=x&state=${state}`)
  expect(parameters.get('error')).toBe('provider_error')
})
