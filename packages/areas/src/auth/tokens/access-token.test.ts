import { createPublicKey } from 'node:crypto'
import {
  base64url,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toId } from '#platform/ids.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { SIGNING_KEYS_PURPOSE } from '#platform/tokens/rotate-signing-key.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side, type SignedIn, type TestProject } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withoutStall } from '#testkit/without-stall.ts'

let api: TestApi
let owner: pg.Client
let one: TestProject
let other: TestProject
let side: Side

beforeAll(async () => {
  api = await startApi()
  ;[one, other] = await makeProjects(api)
  side = one.live
  owner = new pg.Client({ connectionString: api.database.url })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await api.close()
})

interface Profile {
  data?: { id: string }
  code?: string
}
const profile = (token: string, at = api) => at.send<Profile>('GET', '/api/v1/user/profile', { key: token })
const isLetIn = async (token: string) => (await profile(token)).status === 200

/** The private key that the installation signs with, as only it can know it. */
async function signingKey(): Promise<{ kid: string; privateJwk: JWK; publicJwk: JWK }> {
  const { rows } = await owner.query<{ id: string; private_key: Buffer; public_key: JWK }>(
    'select * from signing_keys where published_until is null',
  )
  const [row] = rows
  if (!row) throw new Error('there is no signing key')
  const box = makeProjectBox(api.config, SIGNING_KEYS_PURPOSE)
  return {
    kid: row.id,
    privateJwk: JSON.parse(box.open(row.private_key, row.id)),
    publicJwk: row.public_key,
  }
}

/** The claims of a good token, to be made worse. */
async function claimsOf(signedIn: SignedIn): Promise<JWTPayload> {
  return { ...decodeJwt(signedIn.token) }
}

async function forge(claims: JWTPayload, header: object = {}): Promise<string> {
  const { kid, privateJwk } = await signingKey()
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
    .sign(await importJWK(privateJwk, 'ES256'))
}

describe('a token', () => {
  test('opens its member’s own things, again and again', async () => {
    const signedIn = await side.signIn()
    for (let i = 0; i < 3; i++)
      expect(await profile(signedIn.token)).toMatchObject({
        status: 200,
        body: { data: { id: signedIn.memberId } },
      })
  })

  test('forged with the installation’s own key passes only unchanged, so that what follows can fail', async () => {
    const claims = await claimsOf(await side.signIn())
    expect(await isLetIn(await forge(claims))).toBe(true)
  })

  test.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example.com' })],
    ['without an issuer', ({ iss: _, ...claims }) => claims],
    ['for another audience', (claims) => ({ ...claims, aud: 'proj_01jcq3k8f7e8qtk4m3hbw7rn2d' })],
    ['for several audiences', (claims) => ({ ...claims, aud: [String(claims.aud), 'other'] })],
    ['without an audience', ({ aud: _, ...claims }) => claims],
    [
      'for another project than its audience',
      (claims) => ({ ...claims, project_id: 'proj_01jcq3k8f7e8qtk4m3hbw7rn2d' }),
    ],
    ['without a member', ({ sub: _, ...claims }) => claims],
    ['whose member is no member', (claims) => ({ ...claims, sub: 'plan_01jcq3k8f7e8qtk4m3hbw7rn2d' })],
    ['without a session', ({ session_id: _, ...claims }) => claims],
    ['expired by a second', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) - 1 })],
    ['that expires now', (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) })],
    ['without an end', ({ exp: _, ...claims }) => claims],
    ['that is not good yet', (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1_000) + 60 })],
    [
      'of a clock that is an hour ahead',
      (claims) => ({ ...claims, iat: Number(claims.iat) + 3_600, exp: Number(claims.exp) + 3_600 }),
    ],
    ['of an unknown level', (claims) => ({ ...claims, aal: 'aal9' })],
  ])('%s is refused', async (_what, change) => {
    const claims = await claimsOf(await side.signIn())
    expect(await profile(await forge(change(claims)))).toMatchObject({
      status: 401,
      body: { code: 'INVALID_TOKEN' },
    })
  })

  test('expires while it is remembered, too', () =>
    withoutStall(200, async () => {
      const claims = await claimsOf(await side.signIn())
      const token = await forge({ ...claims, exp: Math.floor(Date.now() / 1_000) + 2 })
      expect(await isLetIn(token)).toBe(true)
      await expect.poll(() => isLetIn(token)).toBe(false)
    }))

  test('is refused without a signature, and with anybody else’s', async () => {
    const signedIn = await side.signIn()
    const claims = await claimsOf(signedIn)
    const { kid, publicJwk } = await signingKey()
    const [header = '', payload = '', signature = ''] = signedIn.token.split('.')
    const none = `${base64url.encode(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid }))}.${payload}.`
    const pem = createPublicKey({ key: publicJwk as Record<string, string>, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    })
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid })
      .sign(Buffer.from(pem))
    const stranger = await generateKeyPair('ES256', { extractable: true })
    const foreign = (header: object) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid, ...header })
        .sign(stranger.privateKey)
    const jwk = await exportJWK(stranger.publicKey)
    const last = signature.at(-2) === 'A' ? 'B' : 'A'
    for (const token of [
      none,
      `${header}.${payload}.`,
      `${header}.${payload}`,
      confused,
      await foreign({}),
      await foreign({ kid: 'unknown' }),
      await foreign({ kid: undefined }),
      await foreign({ jwk }),
      await foreign({ jku: 'https://evil.example.com/jwks.json' }),
      await forge(claims, { typ: 'JWT' }),
      await forge(claims, { kid: `${kid}'` }),
      `${header}.${base64url.encode(JSON.stringify({ ...claims, role: 'admin' }))}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -2)}${last}${signature.at(-1)}`,
      `${signedIn.token}.`,
      `${header}.${payload}.${signature}.x`,
      '..',
      'a.b.c',
      `${'x'.repeat(5_000)}.${payload}.${signature}`,
    ])
      expect(await profile(token)).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } })
    expect(await isLetIn(signedIn.token)).toBe(true)
  })

  test('of another project, or of test, opens that one’s data and no other', async () => {
    for (const each of [other.live, one.test]) {
      const { token, memberId } = await each.signIn()
      expect((await profile(token)).body.data?.id).toBe(memberId)
      const stolen = await forge({
        ...decodeJwt(token),
        aud: toId('project', side.projectId),
        project_id: toId('project', side.projectId),
      })
      // Even a token with a good signature finds no such member here.
      expect(refusalOf(await profile(stolen))).toBe('401 INVALID_TOKEN')
    }
  })

  test('counts against its member’s hundred requests a minute, whichever session it is of', async () => {
    const first = await side.signIn()
    const again = await side.signIn(first.memberId)
    for (let i = 1; i <= 100; i++) {
      const { headers } = await profile(i % 2 ? first.token : again.token)
      expect(headers['x-ratelimit-remaining']).toBe(String(100 - i))
    }
    expect(await profile(again.token)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(await isLetIn((await side.signIn()).token)).toBe(true)
  })
})
