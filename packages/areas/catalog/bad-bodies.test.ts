import { expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import { fingerprint } from '#testkit/catalog/catalogue.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { FORM, fillPath, jsonBody, takesForm } from '#testkit/catalog/sample-requests.ts'
import { wrongBodies } from '#testkit/catalog/wrong-bodies.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { withApi } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every route that can have a body, with bodies that do not fit: a new route is covered the day it is added.

interface Refusal {
  code?: string
  details?: { field: string; message: string }[]
}

let api: TestApi
let side: Side
let credentialFor: (endpoint: Endpoint) => string
/** Endpoints that could be sent a body, and those of them that take one. */
let writing: Endpoint[]
let takingJson: Endpoint[]
let before: string

withApi(async (opened) => {
  api = opened
  const [project] = await makeProjects(api)
  side = project.live
  await side.makeMember()
  credentialFor = await makeCredentials(side)
  writing = api.contract.endpoints.filter(({ method }) => method !== 'GET')
  takingJson = writing.filter((endpoint) => jsonBody(endpoint) !== undefined)
  before = await fingerprint(api.database)
})

const send = (endpoint: Endpoint, raw: string | Buffer, headers: Record<string, string> = {}) =>
  api.send<Refusal>(endpoint.method, fillPath(endpoint), { key: credentialFor(endpoint), raw, headers })

/** What each of these endpoints answers to a body, where it is not what is expected. */
async function unexpected(
  endpoints: readonly Endpoint[],
  bodies: readonly (string | Buffer)[],
  expected: string,
  headers?: Record<string, string>,
): Promise<string[]> {
  const found: string[] = []
  for (const endpoint of endpoints) {
    for (const body of bodies) {
      const answer = await send(endpoint, body, headers)
      const actual = `${answer.status} ${answer.body.code}`
      const shown = body.toString('latin1').slice(0, 40)
      if (actual !== expected) found.push(`${endpoint.method} ${endpoint.path} ${shown}: ${actual}`)
    }
  }
  return found
}

test('the documented example breaks no rule, so that what is refused below is refused for its own fault', async () => {
  expect(takingJson.length).toBeGreaterThan(4)
  for (const endpoint of takingJson) {
    const body = jsonBody(endpoint)
    expect(api.contract.faultOf(body?.schema ?? {}, body?.example)).toBeUndefined()
  }
})

test('a reason of white space is refused as an empty one, wherever a reason is taken', async () => {
  const answers: Record<string, string> = {}
  for (const endpoint of takingJson) {
    const body = jsonBody(endpoint)
    const named = body?.schema as { $ref?: string } | undefined
    const schema = named?.$ref === undefined ? named : api.contract.resolve(named.$ref)
    const { reason } =
      (schema as { properties?: Record<string, { enum?: unknown }> } | undefined)?.properties ?? {}
    if (reason === undefined || reason.enum !== undefined) continue
    const answer = await send(endpoint, JSON.stringify({ ...(body?.example as object), reason: ' \n ' }))
    const faults = answer.body.details?.map(({ field, message }) => `${field} ${message}`)
    answers[endpoint.operation.operationId] = `${answer.status} ${faults}`
  }
  expect(Object.keys(answers).length).toBeGreaterThan(7)
  expect(new Set(Object.values(answers))).toEqual(new Set(['422 reason must not be empty']))
})

test('every broken rule of every body is refused by its name', async () => {
  const wrong: string[] = []
  for (const endpoint of takingJson) {
    const body = jsonBody(endpoint)
    for (const { what, field, text } of wrongBodies(api.contract, body?.schema ?? {}, body?.example)) {
      const answer = await send(endpoint, text)
      const named = answer.body.details?.some((fault) => fault.field.startsWith(field))
      if (answer.status !== 422 || answer.body.code !== 'VALIDATION_ERROR' || !named)
        wrong.push(
          `${endpoint.operation.operationId} ${field}, ${what}: ${answer.status} ${JSON.stringify(answer.body)}`,
        )
    }
  }
  expect(wrong).toEqual([])
})

test('what is no object is refused', async () => {
  const bodies = ['null', 'true', '1', '"text"', '[]', '[{}]']
  expect(await unexpected(takingJson, bodies, '422 VALIDATION_ERROR')).toEqual([])
  const needing = takingJson.filter(({ operation }) => operation.requestBody?.required)
  expect(needing.length).toBeGreaterThan(4)
  expect(await unexpected(needing, [''], '422 VALIDATION_ERROR')).toEqual([])
})

/** Operations whose body is another party's, with the reason why it is not looked at first. */
const SENT_BY_OTHERS = {
  receivePaymentNotice:
    'the signature over its bytes decides, with the secret of the account that the path names',
}

test('a route that takes no body refuses one', async () => {
  const takingNone = writing.filter(
    ({ operation }) => operation.requestBody === undefined && !(operation.operationId in SENT_BY_OTHERS),
  )
  const bodies = ['{"a":1}', '[1]', '"text"', '1', 'true', '{"__proto__":1}']
  expect(await unexpected(takingNone, bodies, '422 VALIDATION_ERROR')).toEqual([])
})

test('text that is no JSON is refused', async () => {
  const bodies = [
    '{"email":',
    '{',
    'email=a@example.com',
    "{'a':1}",
    '{"a":1,}',
    '{"a":NaN}',
    '{}{}',
    '\ufeff{}',
    '{"a":"\t"}',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from('{"a":"é"}', 'latin1'),
    Buffer.from('{}', 'utf16le'),
    Buffer.from([0]),
  ]
  expect(await unexpected(writing, bodies, '400 INVALID_JSON')).toEqual([])
})

test('another content type than JSON is refused', async () => {
  for (const type of ['text/plain', FORM, 'application/jsonp', 'application/xml', 'text/json', 'json', '*/*'])
    expect(
      await unexpected(
        writing.filter(({ operation }) => operation.requestBody?.content?.[type] === undefined),
        ['{}'],
        '400 UNSUPPORTED_CONTENT_TYPE',
        { 'content-type': type },
      ),
    ).toEqual([])
})

test('endless nesting is refused', async () => {
  const deep = 10_000
  const bodies = [
    '['.repeat(deep) + ']'.repeat(deep),
    `${'{"metadata":'.repeat(deep)}{}${'}'.repeat(deep)}`,
    `{"metadata":{"a":${'['.repeat(deep)}${']'.repeat(deep)}}}`,
  ]
  expect(await unexpected(writing, bodies, '422 VALIDATION_ERROR')).toEqual([])
})

test('a body of one byte more than 1 MiB is refused, whatever is in it', async () => {
  const size = 1024 * 1024 + 1
  const padded = `{}${' '.repeat(size - 2)}`
  expect(await unexpected(writing, [padded, Buffer.alloc(size)], '413 PAYLOAD_TOO_LARGE')).toEqual([])
})

test('a body of 1 MiB is read', async () => {
  const padded = `{"no_such_field":1}${' '.repeat(1024 * 1024 - 19)}`
  const readingIt = writing.filter(
    (endpoint) => !takesForm(endpoint) && !(endpoint.operation.operationId in SENT_BY_OTHERS),
  )
  expect(await unexpected(readingIt, [padded], '422 VALIDATION_ERROR')).toEqual([])
})

test('all faults are reported at once', async () => {
  const answer = await side.admin.post<Refusal>('/members', { email: 1, role: '!', extra: true })
  expect(answer.body.details?.map(({ field }) => field).sort()).toEqual(['email', 'extra', 'role'])
})

test('none of it changed anything', async () => {
  expect(await fingerprint(api.database)).toBe(before)
})

/** Operations whose only field is optional in a project with one site. */
const SITE = { beginPasskey: 'rp_id', beginPasskeyLogin: 'rp_id' }

// The last one, because these succeed.
test('a body is optional only where the operation can do without it', async () => {
  const optional = takingJson.filter(
    ({ path, operation }) =>
      !operation.requestBody?.required && !path.includes('{') && !(operation.operationId in SITE),
  )
  expect(optional.length).toBeGreaterThan(4)
  const refused: string[] = []
  for (const endpoint of optional) {
    const { body } = await send(endpoint, '{}')
    if (body.code === 'VALIDATION_ERROR') refused.push(endpoint.operation.operationId)
  }
  expect(refused).toEqual([])
})
