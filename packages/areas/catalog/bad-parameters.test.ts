import { describe, expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import { fingerprint } from '#testkit/catalog/catalogue.ts'
import type { Endpoint, Parameter } from '#testkit/catalog/contract.ts'
import {
  actingHeaders,
  fillPath,
  makeNamed,
  memberQuery,
  pathIds,
  prefixOf,
  queryParameters,
  sampleBody,
} from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { refusalOf } from '#testkit/refusal.ts'
import { withProjects } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every route with query strings and paths that do not fit: a new route is covered the day it is added.

interface Refusal {
  code?: string
  data?: unknown[]
  details?: { field: string }[]
}

let api: TestApi
let side: Side
let credentialFor: (endpoint: Endpoint) => string
let before: string
/** What lists of something's parts, and routes that take the id of something else, are asked for, by the prefix of its id. */
const made: Record<string, string> = {}

const lists = () =>
  api.contract.endpoints.filter((endpoint) => queryParameters(endpoint).some(({ name }) => name === 'page'))
const takersOfIds = () =>
  api.contract.endpoints.filter((endpoint) =>
    queryParameters(endpoint).some((each) => takesIds(endpoint, each)),
  )

withProjects(async (opened, project) => {
  api = opened
  side = project.live
  await side.member()
  credentialFor = await makeCredentials(side)
  for (const { prefix } of [...lists(), ...takersOfIds()].flatMap(pathIds))
    made[prefix] ??= await makeNamed(side, prefix)
  before = await fingerprint(api.database)
})

async function send(endpoint: Endpoint, url: string) {
  const sent = sampleBody(endpoint)
  const headers = { ...actingHeaders(endpoint, await side.member()), ...sent.headers }
  return api.send<Refusal>(endpoint.method, url, { key: credentialFor(endpoint), ...sent, headers })
}

/** Query strings that a parameter must refuse. */
function wrongQueries({ name, schema }: Parameter): string[] {
  const { type, enum: words, minimum, maximum, minLength, maxLength } = schema
  const values = ['a%00b', '%00', '%E0%A4%A', '%', '%zz', '%ED%A0%80', `a&${name}=b`]
  if (type === 'integer' || type === 'number') values.push('', 'x', '1.5', 'NaN', 'Infinity', '1e400', '%20')
  if (type === 'boolean') values.push('', 'yes', '2')
  if (Array.isArray(words)) values.push('', 'no_such_word', `${words[0]}%20`, String(words[0]).toUpperCase())
  if (typeof minimum === 'number') values.push(String(minimum - 1), '-1')
  if (typeof maximum === 'number') values.push(String(maximum + 1))
  if (typeof minLength === 'number' && minLength > 0) values.push('')
  if (typeof maxLength === 'number') values.push('x'.repeat(maxLength + 1))
  return values.map((value) => `${name}=${value}`)
}

describe('a query string', () => {
  test('with an unknown parameter is refused by every route', async () => {
    const wrong: string[] = []
    for (const endpoint of api.contract.endpoints) {
      if (endpoint.operation.operationId in ASKED_BY_OTHERS) continue
      for (const name of ['no_such_parameter', '__proto__', 'constructor', 'Page', 'project_id']) {
        const { status, body } = await send(endpoint, `${fillPath(endpoint)}?${name}=1`)
        if (
          status !== 400 ||
          body.code !== 'INVALID_PARAMETERS' ||
          !body.details?.some(({ field }) => field === name)
        )
          wrong.push(`${endpoint.method} ${endpoint.path}?${name}: ${status} ${JSON.stringify(body)}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('with a value that breaks a rule is refused by the parameter’s name', async () => {
    const wrong: string[] = []
    for (const endpoint of api.contract.endpoints) {
      for (const query of queryParameters(endpoint).flatMap(wrongQueries)) {
        const { status, body } = await send(endpoint, `${fillPath(endpoint)}?${query}`)
        const named = body.details?.some(({ field }) => query.startsWith(field))
        if (status !== 400 || body.code !== 'INVALID_PARAMETERS' || !named)
          wrong.push(
            `${endpoint.operation.operationId}?${query}: ${status} ${JSON.stringify(body).slice(0, 150)}`,
          )
      }
    }
    expect(wrong).toEqual([])
  })

  test('with what is no id, or the id of something else, where an id is asked for is refused by the parameter’s name', async () => {
    const wrong: string[] = []
    const refused: string[] = []
    for (const endpoint of api.contract.endpoints) {
      for (const parameter of queryParameters(endpoint).filter((each) => takesIds(endpoint, each))) {
        const { name } = parameter
        const others = neededOf(endpoint)
          .slice(1)
          .split('&')
          .filter((each) => each !== '' && !each.startsWith(`${name}=`))
        for (const value of [
          'zzz',
          'key_01jcq3k8f7e8qtk4m3hbw7rn2d',
          '01a1fd3e-86b6-76ce-a446-fe4f03a8d301',
        ]) {
          const ids = Object.fromEntries(
            pathIds(endpoint).map((each) => [each.name, made[each.prefix] ?? '']),
          )
          const query = [...others, `${name}=${value}`].join('&')
          const { status, body } = await send(endpoint, `${fillPath(endpoint, ids)}?${query}`)
          const fields = body.details?.map(({ field }) => field)
          const asked = `${endpoint.operation.operationId}?${name}`
          if (status === 400 && fields?.includes(name)) refused.push(asked)
          else wrong.push(`${asked}=${value}: ${status} ${JSON.stringify(body).slice(0, 150)}`)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(refused.length).toBeGreaterThan(10)
    expect(refused).toContain('listEnrollments?student_id')
  })

  test('with a page far past the end is answered with no data', async () => {
    expect(lists().length).toBeGreaterThan(1)
    for (const endpoint of lists()) {
      const ids = Object.fromEntries(pathIds(endpoint).map(({ name, prefix }) => [name, made[prefix] ?? '']))
      const needed = queryParameters(endpoint)
        .filter(({ required }) => required)
        .map(({ name, example }) => `&${name}=${example}`)
        .concat(Object.entries(await memberQuery(endpoint, side)).map(([name, id]) => `&${name}=${id}`))
        .join('')
      for (const page of ['1e9', '1000000000', '2']) {
        const { status, body } = await send(
          endpoint,
          `${fillPath(endpoint, ids)}?page=${page}&limit=100${needed}`,
        )
        expect({ page, status, data: body.data }).toEqual({ page, status: 200, data: [] })
      }
    }
  })
})

describe('a path', () => {
  test('with what is no id is answered like a missing thing, or as malformed', async () => {
    const wrong: string[] = []
    for (const endpoint of api.contract.endpoints) {
      for (const { name } of pathIds(endpoint)) {
        for (const [id, expected] of PATHS) {
          const { status, body } = await send(
            endpoint,
            fillPath(endpoint, { [name]: id }) + neededOf(endpoint),
          )
          if (`${status} ${body.code}` !== expected)
            wrong.push(
              `${endpoint.operation.operationId} ${id.slice(0, 60)}: ${status} ${JSON.stringify(body)}`,
            )
        }
      }
    }
    expect(wrong).toEqual([])
  })

  test('that is unknown is answered like a missing thing, and asks for a credential first', async () => {
    for (const path of ['/api/v1/nothing', '/api/v1', '/api/v1/', '/api/v2/members', '/api/v1/members/']) {
      const { status, body } = await api.send<Refusal>('GET', path, { key: side.key })
      expect({ path, status, code: body.code }).toEqual({ path, status: 404, code: 'NOT_FOUND' })
      expect(refusalOf(await api.send('GET', path))).toBe('401 AUTH_REQUIRED')
    }
    expect(refusalOf(await api.send('PUT', '/api/v1/members', { key: side.key }))).toBe('404 NOT_FOUND')
  })
})

test('none of it changed anything', async () => {
  expect(await fingerprint(api.database)).toBe(before)
})

/** Operations whose query is another party's, with the reason why they ignore what they do not know. */
const ASKED_BY_OTHERS = {
  getTracker: 'a page adds a version to the address of a script',
  finishOldOidcLogin: 'as finishOidcLogin',
  finishOidcLogin: 'a client ignores parameters of a provider that it does not know (RFC 6749, 4.1.2)',
}

/**
 * Whether a query parameter takes the id of something of ours, or several. Sessions are named by visitors, a member who acts is
 * refused as in `X-User-ID`, and a signed link is whole or none.
 */
function takesIds({ operation }: Endpoint, { name, example, schema }: Parameter): boolean {
  const acts = name === 'member_id' && operation.parameters?.some((each) => each.name === 'X-User-ID')
  if (acts || name === 'session_id' || operation['x-access'] === 'open') return false
  const examples = [example, ...((schema.examples as unknown[] | undefined) ?? [])]
  return /(?:^|_)ids?$/.test(name) || examples.some((each) => prefixOf(each) !== undefined)
}

/** The query parameters that must be there, by their examples. */
function neededOf(endpoint: Endpoint): string {
  const needed = queryParameters(endpoint).filter(({ required }) => required)
  return needed.length === 0 ? '' : `?${needed.map(({ name, example }) => `${name}=${example}`).join('&')}`
}

const NOT_FOUND = '404 NOT_FOUND'
const MALFORMED = '400 INVALID_PARAMETERS'
const PATHS: readonly [string, string][] = [
  ['1', NOT_FOUND],
  ['no-id', NOT_FOUND],
  ['form_01jcq3k8f7e8qtk4m3hbw7rn2d', NOT_FOUND],
  ['MEM_01jcq3k8f7e8qtk4m3hbw7rn2d', NOT_FOUND],
  ['mem_01jcq3k8f7e8qtk4m3hbw7rn2d%20', NOT_FOUND],
  ['mem_81jcq3k8f7e8qtk4m3hbw7rn2d', NOT_FOUND],
  ['mem_', NOT_FOUND],
  ['01a1fd3e-86b6-76ce-a446-fe4f03a8d301', NOT_FOUND],
  ['%00', NOT_FOUND],
  ['a%00b', NOT_FOUND],
  ['..%2f..%2fetc', NOT_FOUND],
  ["'%20or%201=1--", NOT_FOUND],
  ['%F0%9F%92%A9', NOT_FOUND],
  ['x'.repeat(150), NOT_FOUND],
  ['x'.repeat(5_000), NOT_FOUND],
  ['%E0%A4%A', MALFORMED],
  ['%', MALFORMED],
  ['%ED%A0%80', MALFORMED],
]
