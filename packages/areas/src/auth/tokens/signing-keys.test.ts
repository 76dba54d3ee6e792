import { createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from 'jose'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { newUuid } from '#platform/ids.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import {
  revokeSigningKey,
  rotateSigningKey,
  SIGNING_KEYS_PURPOSE,
} from '#platform/tokens/rotate-signing-key.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { cloneDatabase } from '#testkit/database.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withTwoApis } from '#testkit/with-api.ts'
import { within } from '#testkit/within.ts'

let api: TestApi
let second: TestApi
let side: Side

withTwoApis(async (one, other) => {
  api = one
  second = other
  side = (await makeProjects(api))[0].live
})

const isLetIn = async (token: string, at = api) =>
  (await at.send('GET', '/api/v1/user/profile', { key: token })).status === 200

describe('signing keys', () => {
  const published = async (at = api) =>
    (await at.send<{ keys: JWK[] }>('GET', '/.well-known/jwks.json')).body.keys
  const rotate = (aheadSeconds = 0) =>
    rotateSigningKey({
      pool: api.operators,
      box: makeProjectBox(api.config, SIGNING_KEYS_PURPOSE),
      aheadSeconds,
    })
  const kidOf = async (token: string) => {
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys: await published() }))
    return protectedHeader.kid
  }

  test('are at rest as nothing that anybody else could sign with', async () => {
    await side.signIn()
    const { rows } = await api.owner.query<{ id: string; text: string; private_key: Buffer }>(
      "select id, private_key, private_key::text || encode(private_key, 'escape') as text from signing_keys",
    )
    const box = makeProjectBox(api.config, SIGNING_KEYS_PURPOSE)
    expect(rows.length).toBeGreaterThan(0)
    for (const { id, text, private_key } of rows)
      expect(text).not.toContain(JSON.parse(box.open(private_key, id)).d)
  })

  test('cannot be reached by the role that serves requests', async () => {
    await expect(api.deps.pool.query('select id from signing_keys')).rejects.toThrow('permission denied')
  })

  test('give way to a new one in every process at once, and their tokens stay good', async () => {
    const before = await side.signIn()
    const made = await rotate()
    await within(1_000, async () => expect(await kidOf((await side.signIn()).token)).toBe(made?.id))
    const after = await side.signIn()
    for (const at of [api, second]) {
      expect(await isLetIn(after.token, at)).toBe(true)
      expect(await isLetIn(before.token, at)).toBe(true)
    }
    expect((await published(second)).map(({ kid }) => kid)).toEqual(
      expect.arrayContaining([made?.id, await kidOf(before.token)]),
    )
  })

  test('are published ahead of their use', async () => {
    const before = await kidOf((await side.signIn()).token)
    const made = await rotate(3_600)
    await within(1_000, async () =>
      expect((await published()).some(({ kid }) => kid === made?.id)).toBe(true),
    )
    expect(await kidOf((await side.signIn()).token)).toBe(before)
  })

  test('that are revoked take their tokens with them within a second, and nobody is left without one', async () => {
    const before = await side.signIn()
    expect(await isLetIn(before.token)).toBe(true)
    for (const { kid } of await published()) await revokeSigningKey(api.operators, String(kid))
    for (const at of [api, second])
      await within(1_000, async () => expect(await isLetIn(before.token, at)).toBe(false))
    expect(await isLetIn((await side.signIn()).token)).toBe(true)
  })

  test('that were sealed with another SECRET_KEY verify what they signed and are published, and a new one signs', async () => {
    const before = await side.signIn()
    await api.owner.query("update signing_keys set private_key = '\\x00' where published_until is null")
    const late = await startApi({ database: api.database })
    expect(await isLetIn(before.token, late)).toBe(true)
    const claims = { projectId: newUuid(), memberId: newUuid(), sessionId: newUuid(), role: 'member' }
    const { token } = await late.deps.accessTokens.issue({ ...claims, aal: 'aal1', amr: [] })
    const kids = [before.token, token].map((each) => decodeProtectedHeader(each).kid)
    expect(kids[0]).not.toBe(kids[1])
    // As several installations will: one list of keys of whoever signs.
    expect((await published(late)).map(({ kid }) => kid)).toEqual(expect.arrayContaining(kids))
    await late.close()
  })

  test('are there for everybody who comes at once to a process that has just started', async () => {
    const { token } = await side.signIn()
    const late = await startApi({ database: api.database })
    const answers = await Promise.all(Array.from({ length: 20 }, () => isLetIn(token, late)))
    expect(answers).toEqual(Array(20).fill(true))
    await late.close()
  })

  test('made by processes that start at the same moment are one', async () => {
    const fresh = await cloneDatabase()
    const admin = new pg.Client({ connectionString: fresh.url })
    await admin.connect()
    await admin.query('delete from signing_keys')
    const apis = await Promise.all([startApi({ database: fresh }), startApi({ database: fresh })])
    const sets = await Promise.all(
      apis.map(async (each) => (await each.send<{ keys: JWK[] }>('GET', '/.well-known/jwks.json')).body.keys),
    )
    expect(sets[0]).toHaveLength(1)
    expect(sets[1]).toEqual(sets[0])
    await Promise.all(apis.map((each) => each.close()))
    await admin.end()
    await fresh.drop()
  })
})
