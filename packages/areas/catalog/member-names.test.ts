import { expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Endpoint, Schema } from '#testkit/catalog/contract.ts'
import { fillPath, jsonBody, missingId, queryParameters } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Every route that takes a member's id under another name: it takes `member_id` in its place.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const OTHERS = ['author_id', 'student_id', 'user_id']

/** A place where an endpoint takes a member under another name. */
interface Place {
  readonly endpoint: Endpoint
  readonly in: 'header' | 'query' | 'body'
  readonly name: string
  /** The field of the body whose items have the name. */
  readonly list?: string
}

let api: TestApi
let side: Side
let places: Place[]

const propertiesOf = (schema: Schema | undefined): Record<string, Schema> => {
  const whole = schema?.['$ref'] === undefined ? schema : api.contract.resolve(String(schema['$ref']))
  return (whole?.['properties'] ?? {}) as Record<string, Schema>
}
const fieldsOf = (endpoint: Endpoint) => propertiesOf(jsonBody(endpoint)?.schema)

function placesOf(endpoint: Endpoint): Place[] {
  const { parameters = [] } = endpoint.operation
  const query = queryParameters(endpoint).filter(({ name }) => OTHERS.includes(name))
  const body = Object.entries(fieldsOf(endpoint))
  return [
    ...parameters.filter(({ name }) => name === 'X-User-ID').map(() => ({ in: 'header', name: 'X-User-ID' })),
    ...query.map(({ name }) => ({ in: 'query', name })),
    ...body.flatMap(([field, schema]) => [
      ...(OTHERS.includes(field) ? [{ in: 'body', name: field }] : []),
      ...Object.keys(propertiesOf(schema['items'] as Schema | undefined))
        .filter((name) => OTHERS.includes(name))
        .map((name) => ({ in: 'body', name, list: field })),
    ]),
  ].map((place) => ({ endpoint, ...place }) as Place)
}

withProjects((opened, one) => {
  api = opened
  side = one.test
  places = api.contract.endpoints.flatMap(placesOf)
})

interface Refusal {
  error?: string
  code?: string
  details?: { field: string }[]
}

/** Where `member_id` is sent in place of what a place takes. */
const isInQuery = ({ in: where, endpoint }: Place) =>
  where === 'query' || (where === 'header' && ['GET', 'DELETE'].includes(endpoint.method))

/** Sends the documented example with members under some names, and nothing else that exists. */
async function send(place: Place, members: Readonly<Record<string, string>>) {
  const { endpoint, list } = place
  const { 'X-User-ID': header, ...named } = members
  const needed = queryParameters(endpoint).flatMap(({ name, required, example: value }) =>
    required && !(name in named) ? [[name, String(value)]] : [],
  )
  const query = new URLSearchParams([...needed, ...Object.entries(isInQuery(place) ? named : {})]).toString()
  const example = structuredClone(jsonBody(endpoint)?.example ?? {}) as Record<string, unknown>
  const [item = {}] = (list === undefined ? [] : example[list]) as Record<string, unknown>[]
  for (const name of [...OTHERS, 'member_id']) {
    delete example[name]
    delete item[name]
  }
  const body = list === undefined ? { ...example, ...named } : { ...example, [list]: [{ ...item, ...named }] }
  const { status, body: answer } = await api.send<Refusal>(
    endpoint.method,
    fillPath(endpoint) + (query && `?${query}`),
    {
      key: side.key,
      ...(header !== undefined && { headers: { 'x-user-id': header } }),
      ...(endpoint.method !== 'GET' &&
        endpoint.method !== 'DELETE' && { body: isInQuery(place) ? example : body }),
    },
  )
  return { status, code: answer.code, field: answer.details?.[0]?.field, error: answer.error ?? '' }
}
const isMatch = (answer: object, expected: object) =>
  JSON.stringify({ ...answer, ...expected }) === JSON.stringify(answer)
const nameOf = ({ endpoint, in: where, name }: Place) =>
  `${endpoint.method} ${endpoint.path} ${where} ${name}`

test('every route that takes a member under another name is found', () => {
  expect(places.length).toBeGreaterThan(35)
  expect(new Set(places.map(({ name }) => name))).toEqual(new Set([...OTHERS, 'X-User-ID']))
})

test('the document has member_id beside it', () => {
  const lacking = places.filter((place) => {
    if (isInQuery(place)) return !queryParameters(place.endpoint).some(({ name }) => name === 'member_id')
    const fields = fieldsOf(place.endpoint)
    const own = place.list === undefined ? fields : propertiesOf(fields[place.list]?.['items'] as Schema)
    return own['member_id'] === undefined
  })
  expect(lacking.map(nameOf)).toEqual([])
})

test('member_id has the same effect, and errors name what was sent', async () => {
  const wrong = []
  for (const place of places)
    for (const id of [missingId('mem'), 'nobody', await side.member()]) {
      const expected = await send(place, { [place.name]: id })
      const actual = await send(place, { member_id: id })
      const field = expected.field?.replace(place.name, 'member_id')
      const isNamed =
        actual.field === field && !(actual.field === 'member_id' && actual.error.includes(place.name))
      if (actual.status !== expected.status || actual.code !== expected.code || !isNamed)
        wrong.push([nameOf(place), id, expected, actual])
    }
  expect(wrong).toEqual([])
})

test('two that are the same are one, and two that differ are refused on the second', async () => {
  const wrong = []
  const [one, other] = [await side.member(), missingId('mem')]
  for (const place of places) {
    const single = await send(place, { [place.name]: one })
    const same = await send(place, { [place.name]: one, member_id: one })
    if (same.status !== single.status || same.code !== single.code) wrong.push([nameOf(place), single, same])
    const at = place.list === undefined ? '' : `${place.list}[0].`
    const refused = await send(place, { [place.name]: one, member_id: other })
    const isExpected = ({ error }: { error: string }) =>
      error.startsWith(isInQuery(place) ? 'The query parameter' : 'The request body')
    const first = { status: 422, code: 'VALIDATION_ERROR', field: `${at}member_id` }
    if (!isMatch(refused, first) || !isExpected(refused)) wrong.push([nameOf(place), refused])
    if (place.in === 'header') continue
    const turned = await send(place, { member_id: other, [place.name]: one })
    const second = { status: 422, code: 'VALIDATION_ERROR', field: at + place.name }
    if (!isMatch(turned, second) || !isExpected(turned)) wrong.push([nameOf(place), turned])
  }
  expect(wrong).toEqual([])
})

test('a header that names another member than the body is refused, and the same one is not', async () => {
  const [one, other] = [await side.member(), (await side.makeMember()).id]
  const wrong = []
  for (const [path, name] of ACTING_IN_BODY) {
    const place = places.find(
      ({ endpoint, in: where }) =>
        where === 'body' && endpoint.method === 'POST' && endpoint.path === `/api/v1${path}`,
    )
    if (place === undefined) throw new Error(`${path} names no member in its body`)
    const single = await send(place, { [name]: one })
    const same = await send(place, { [name]: one, 'X-User-ID': one })
    if (same.status !== single.status || same.code !== single.code) wrong.push([path, single, same])
    const refused = await send(place, { [name]: one, 'X-User-ID': other })
    if (!isMatch(refused, { status: 422, code: 'VALIDATION_ERROR', field: name })) wrong.push([path, refused])
  }
  expect(wrong).toEqual([])
})

/** Routes on which a key names in the body who acts. */
const ACTING_IN_BODY = [
  ['/discussions', 'author_id'],
  ['/discussions/{id}/comments', 'author_id'],
  ['/feedback', 'user_id'],
  ['/feedback/{id}/comments', 'author_id'],
  ['/lms/enrollments', 'student_id'],
] as const
