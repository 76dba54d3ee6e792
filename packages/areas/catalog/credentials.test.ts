import { describe, expect, test, vi } from 'vitest'
import { revokeKey } from '#areas/api-keys/service.ts'
import { areas } from '#areas/areas.ts'
import { updateProfileSettings } from '#areas/profiles/settings.ts'
import { permissionsOf } from '#platform/area.ts'
import { parseId } from '#platform/ids.ts'
import { makeKey } from '#platform/keys/key-format.ts'
import { CAPABILITIES } from '#platform/keys/permissions.ts'
import type { TestApi } from '#testkit/api.ts'
import { fingerprint } from '#testkit/catalog/catalogue.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { fillPath } from '#testkit/catalog/sample-requests.ts'
import type { Side, TestProject } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every route of the document with every kind of credential: a new route is covered the day it is added.

let api: TestApi
let project: TestProject
let side: Side
let endpoints: Endpoint[]

withProjects(async (opened, first) => {
  api = opened
  project = first
  // The test side has all that the live side has, and a clock.
  side = project.test
  await side.makeMember()
  // Visitors are let in to profiles by the project, too.
  await side.write((ctx) => updateProfileSettings(ctx, { profilesPublic: true }))
  endpoints = api.contract.endpoints.filter(({ operation }) => operation['x-access'] !== 'open')
})

/** Sends a request without effect to an endpoint: whatever it names is missing, and the body does not fit. */
const probe = (endpoint: Endpoint, headers: Record<string, string>) =>
  api.send<{ code?: string }>(endpoint.method, fillPath(endpoint), {
    headers,
    ...(endpoint.method !== 'GET' && { body: {} }),
  })
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** What each endpoint answers, where it is not what is expected. */
async function unexpected(
  answer: (endpoint: Endpoint) => Promise<string>,
  expected: (endpoint: Endpoint) => string,
): Promise<string[]> {
  const found: string[] = []
  for (const endpoint of endpoints) {
    const actual = await answer(endpoint)
    if (actual !== expected(endpoint))
      found.push(`${endpoint.method} ${endpoint.path}: ${actual} instead of ${expected(endpoint)}`)
  }
  return found
}
const answerTo = (headers: Record<string, string>) => async (endpoint: Endpoint) => {
  const { status, body } = await probe(endpoint, headers)
  return `${status} ${body.code}`
}

describe('every endpoint', () => {
  test('asks for a credential', async () => {
    expect(endpoints.length).toBeGreaterThan(15)
    expect(await unexpected(answerTo({}), () => '401 AUTH_REQUIRED')).toEqual([])
    expect(await unexpected(answerTo({ authorization: '' }), () => '401 AUTH_REQUIRED')).toEqual([])
  })

  test('refuses what is no key', async () => {
    const { key } = side
    const twisted = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')
    for (const authorization of [
      'Bearer',
      'Bearer ',
      key,
      `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
      `Bearer ${key} ${key}`,
      `Bearer ${twisted}`,
      `Bearer ${key.toUpperCase()}`,
      'Bearer svc_sk_live_',
      'Bearer null',
      `Bearer ${'x'.repeat(4_000)}`,
    ])
      expect(await unexpected(answerTo({ authorization }), () => '401 INVALID_TOKEN')).toEqual([])
  })

  test('refuses a project’s id in place of a key', async () => {
    for (const name of [project.project.id, side.projectId])
      expect(await unexpected(answerTo(bearer(name)), () => '401 INVALID_TOKEN')).toEqual([])
  })

  test('refuses unknown, revoked and expired keys, and says which of these they are', async () => {
    const revoked = await side.makeKey({ permissions: ['admin'] })
    await side.write((ctx) => revokeKey(ctx, parseId('API key', revoked.id) ?? ''))
    const expired = await side.makeKey({ permissions: ['admin'], expires_at: new Date(Date.now() - 1) })
    const unknown = makeKey('secret', 'live')
    for (const { key } of [revoked, expired, unknown])
      expect(await unexpected(answerTo(bearer(key)), () => '401 INVALID_TOKEN')).toEqual([])
    const otherSide = side.key.replace('_test_', '_live_')
    const reasonOf = async (authorization: string) => {
      const { body, headers } = await api.send<{ reason: string; error: string }>('GET', '/api/v1/members', {
        headers: { authorization },
      })
      expect(headers['www-authenticate']).toBe('Bearer')
      expect(body.error).toMatch(/: .*(check|use|send|create)/)
      return body.reason
    }
    expect(await reasonOf(`Bearer ${revoked.key}`)).toBe('revoked')
    expect(await reasonOf(`Bearer ${expired.key}`)).toBe('expired')
    expect(await reasonOf(`Bearer ${unknown.key}`)).toBe('unknown_key')
    expect(await reasonOf(`Bearer ${otherSide}`)).toBe('wrong_environment')
    expect(await reasonOf(`Bearer ${side.projectId}`)).toBe('malformed')
    expect(await reasonOf(`Basic ${side.key}`)).toBe('not_bearer')
  })

  test('lets a secret key in with the permission that it declares or with admin, and with no other', async () => {
    const wrong: string[] = []
    for (const permission of [undefined, ...permissionsOf(areas)]) {
      const { key } = await side.makeKey({ permissions: permission === undefined ? [] : [permission] })
      wrong.push(...(await misjudged(key, ({ secret }) => isLetIn(secret, permission))))
    }
    expect(wrong).toEqual([])
  })

  test('asks for permissions that an area declares, and for each of them somewhere', () => {
    const asked = api.contract.endpoints.flatMap(({ operation }) => {
      const access = operation['x-access']
      return access === 'open' || access.secret === undefined || access.secret === 'any'
        ? []
        : [access.secret]
    })
    expect([...new Set(asked)].sort()).toEqual(permissionsOf(areas).sort())
  })

  test('lets a public key in with the capability that it declares, and with no other', async () => {
    const wrong: string[] = []
    for (const capability of [undefined, ...CAPABILITIES]) {
      const { key } = await side.makeKey({
        type: 'public',
        capabilities: capability === undefined ? [] : [capability],
      })
      wrong.push(
        ...(await misjudged(
          key,
          // Every public key has auth.
          (access) =>
            [capability, 'auth'].some(
              (granted) => access.public === 'any' || (granted && access.public === granted),
            ),
        )),
      )
    }
    expect(wrong).toEqual([])
  })

  test('lets a member’s token in where it says so, and nowhere else', async () => {
    const wrong = await unexpected(
      // A token each: some of these end its session. Of a moderator, whom more is open to than to others.
      async (endpoint) => {
        const { id } = await side.makeMember({ role: 'moderator' })
        const { status } = await probe(endpoint, bearer((await side.signIn(id)).token))
        return status === 403 ? 'refused' : 'let in'
      },
      ({ operation }) => ((operation['x-access'] as Declared).user === 'self' ? 'let in' : 'refused'),
    )
    expect(wrong).toEqual([])
  })

  test('answers HEAD as strictly as GET', async () => {
    for (const [at, endpoint] of endpoints.filter(({ method }) => method === 'GET').entries()) {
      // Each from an address of its own, so that the limit of addresses is not met.
      const remoteAddress = `10.9.${at >> 8}.${at & 255}`
      const response = await api.api.inject({ method: 'HEAD', url: fillPath(endpoint), remoteAddress })
      expect({ path: endpoint.path, status: response.statusCode }).toEqual({
        path: endpoint.path,
        status: 401,
      })
    }
  })

  test('changed nothing, whoever asked', async () => {
    const before = await fingerprint(api.database)
    const denied = await side.makeKey()
    const after = await fingerprint(api.database)
    expect(after).not.toBe(before)
    for (const endpoint of endpoints) {
      await probe(endpoint, {})
      await probe(endpoint, bearer(denied.key))
      await probe(endpoint, bearer(side.key))
    }
    expect(await fingerprint(api.database)).toBe(after)
  })
})

type Declared = { readonly secret?: string; readonly public?: string; readonly user?: string }

const isLetIn = (declared: string | undefined, granted: string | undefined) =>
  declared !== undefined && (declared === 'any' || granted === declared || granted === 'admin')

/** Endpoints that let a key in and should not, or the other way round. */
function misjudged(key: string, isAllowed: (access: Declared) => boolean): Promise<string[]> {
  return unexpected(
    async (endpoint) => ((await probe(endpoint, bearer(key))).status === 403 ? 'refused' : 'let in'),
    ({ operation }) => (isAllowed(operation['x-access'] as Declared) ? 'let in' : 'refused'),
  )
}
