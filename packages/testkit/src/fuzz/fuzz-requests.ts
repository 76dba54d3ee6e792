import fc from 'fast-check'
import type { RequestOptions } from '../api.ts'
import type { Contract, Endpoint } from '../catalog/contract.ts'
import { jsonBody, pathIds, queryParameters } from '../catalog/sample-requests.ts'
import { CALLERS, type Caller, type FuzzWorld } from './fuzz-world.ts'
import { hostileBytes, hostileText } from './hostile-values.ts'
import { examplesOf, mutatedBodies } from './mutations.ts'
import { type IdsOf, valuesOf } from './schema-values.ts'

/** One request, as it is sent. */
export interface FuzzRequest {
  readonly caller: Caller
  readonly url: string
  readonly options: RequestOptions
}

type Sent = Pick<RequestOptions, 'raw' | 'headers'>

/** Requests to an endpoint: valid ones, nearly valid ones, and hostile ones, of every kind of caller. */
export function requestsTo(
  contract: Contract,
  endpoint: Endpoint,
  world: FuzzWorld,
): fc.Arbitrary<FuzzRequest> {
  const idsOf: IdsOf = (prefix) =>
    fc
      .oneof(
        { arbitrary: fc.constant('own' as const), weight: 8 },
        { arbitrary: fc.constantFrom('foreign' as const, 'missing' as const), weight: 1 },
      )
      .map((kind) => world.id(prefix, kind))
  return fc
    .record({
      caller: callersOf(endpoint),
      path: pathsOf(endpoint, idsOf),
      query: queriesOf(contract, endpoint, idsOf, world),
      sent: bodiesOf(contract, endpoint, idsOf),
      headers: headersOf(),
    })
    .map(({ caller, path, query, sent, headers }) => ({
      caller,
      url: query === '' ? path : `${path}?${query}`,
      options: { ...sent, headers: { ...named(caller, headers, world), ...sent.headers } },
    }))
}

/** Mostly somebody who is let in. */
function callersOf({ operation }: Endpoint): fc.Arbitrary<Caller> {
  const access = operation['x-access']
  const likely: Caller[] = []
  if (access === 'open' || access.secret !== undefined) likely.push('admin', 'admin', 'admin')
  if (access !== 'open' && access.public !== undefined) likely.push('public')
  if (access !== 'open' && access.user !== undefined) likely.push('member', 'member', 'moderator')
  return fc.oneof(
    { arbitrary: fc.constantFrom(...likely), weight: 8 },
    { arbitrary: fc.constantFrom(...CALLERS), weight: 2 },
  )
}

function pathsOf(endpoint: Endpoint, idsOf: IdsOf): fc.Arbitrary<string> {
  const ids = pathIds(endpoint)
  const parameters = (endpoint.operation.parameters ?? []).filter(({ in: place }) => place === 'path')
  const values = parameters.map(({ name, example }) => {
    const known = ids.find((id) => id.name === name)
    const usual = known ? idsOf(known.prefix) : fc.constant(String(example))
    const text = fc.oneof({ arbitrary: usual, weight: 15 }, { arbitrary: hostileText, weight: 1 })
    return text.map((value) => ({ name, value }))
  })
  return fc
    .tuple(...values)
    .map((filled) =>
      filled.reduce(
        (path, { name, value }) => path.replace(`{${name}}`, () => encode(value) || '%20'),
        endpoint.path,
      ),
    )
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed())

function queriesOf(
  contract: Contract,
  endpoint: Endpoint,
  idsOf: IdsOf,
  world: FuzzWorld,
): fc.Arbitrary<string> {
  const model: Record<string, fc.Arbitrary<string>> = {}
  const required: string[] = []
  for (const { name, schema, example, required: needed } of queryParameters(endpoint)) {
    const usual =
      name === 'cursor'
        ? fc.nat().map((number) => world.cursor(number))
        : fc.oneof(
            valuesOf(contract, schema, idsOf).map(String),
            ...(example === undefined ? [] : [fc.constant(String(example))]),
          )
    model[name] = fc.oneof({ arbitrary: usual, weight: 7 }, { arbitrary: hostileText, weight: 2 })
    if (needed) required.push(name)
  }
  if (Object.keys(model).length === 0) return fc.constant('')
  return fc.record(model, { requiredKeys: required }).map((query) =>
    Object.entries(query)
      .map(([name, value]) => `${name}=${encode(value)}`)
      .join('&'),
  )
}

function bodiesOf(contract: Contract, endpoint: Endpoint, idsOf: IdsOf): fc.Arbitrary<Sent> {
  const content = endpoint.operation.requestBody?.content ?? {}
  const form = content['multipart/form-data']
  const json = jsonBody(endpoint)
  const kinds: { arbitrary: fc.Arbitrary<Sent>; weight: number }[] = []
  if (json) {
    const { schema = {}, example = {} } = json
    const bodies = [
      { arbitrary: examplesOf(example, idsOf), weight: 2 },
      { arbitrary: valuesOf(contract, schema, idsOf), weight: 3 },
      { arbitrary: mutatedBodies(contract, schema, example, idsOf, true), weight: 3 },
      { arbitrary: mutatedBodies(contract, schema, example, idsOf, false), weight: 3 },
    ]
    for (const { arbitrary, weight } of bodies)
      kinds.push({ arbitrary: arbitrary.map((body) => ({ raw: JSON.stringify(body) })), weight })
    kinds.push({ arbitrary: hostileBytes.map((raw) => ({ raw })), weight: 1 })
  }
  if (form) kinds.push({ arbitrary: formsOf(form.example, idsOf), weight: 6 })
  if (content['application/x-www-form-urlencoded'])
    kinds.push({ arbitrary: hostileText.map(urlEncoded), weight: 1 })
  if (kinds.length === 0)
    kinds.push(
      { arbitrary: fc.constant({}), weight: 6 },
      ...(endpoint.method === 'GET' ? [] : [{ arbitrary: hostileBytes.map((raw) => ({ raw })), weight: 1 }]),
    )
  return fc.oneof(...kinds)
}

const urlEncoded = (text: string): Sent => ({
  raw: new URLSearchParams({ SAMLResponse: text, RelayState: text }).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})

/** A form with a file whose name, type and content may be anything. */
function formsOf(example: unknown, idsOf: IdsOf): fc.Arbitrary<Sent> {
  const file = fc.record({
    name: fc.oneof(fc.constant('a.csv'), hostileText),
    type: fc.constantFrom('text/csv', 'image/png', '', 'x', 'text/html; charset=utf-7'),
    content: fc.oneof(
      fc.constant('email,full_name\nada@example.com,Ada\n'),
      hostileText,
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    ),
  })
  return fc
    .record({ fields: examplesOf(example, idsOf), file, more: fc.option(hostileText), cut: fc.nat(9) })
    .map(({ fields, file: { name, type, content }, more, cut }) => {
      const texts = Object.entries(fields as object).filter(([field]) => field !== 'file')
      const parts = [
        ...texts.map(([field, value]) => part(`name="${field}"`, '', textOf(value))),
        ...(more === null ? [] : [part(`name="${quoted(more)}"`, '', more)]),
        part(`name="file"; filename="${quoted(name)}"`, type, content),
      ]
      const whole = `${parts.join('')}--edge--\r\n`
      return {
        // One of ten is cut in its middle.
        raw: Buffer.from(cut === 0 ? whole.slice(0, whole.length / 2) : whole, 'utf8'),
        headers: { 'content-type': 'multipart/form-data; boundary=edge' },
      }
    })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
const quoted = (text: string) => text.replaceAll(/["\r\n]/g, '_')
const part = (name: string, type: string, content: string) =>
  `--edge\r\ncontent-disposition: form-data; ${name}\r\n${type === '' ? '' : `content-type: ${type}\r\n`}\r\n${content}\r\n`

/** Headers that requests may carry; of what HTTP cannot carry, nothing. */
function headersOf(): fc.Arbitrary<Record<string, string>> {
  const text = hostileText.map((value) => value.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?'))
  const usual = (name: string, values: fc.Arbitrary<string>) =>
    fc
      .option(fc.oneof({ arbitrary: values, weight: 4 }, { arbitrary: text, weight: 1 }))
      .map((value) => ({ name, value }))
  const acting = fc.oneof(
    { arbitrary: fc.constant('own'), weight: 8 },
    { arbitrary: fc.constant('none'), weight: 1 },
    { arbitrary: hostileText, weight: 1 },
  )
  return fc
    .tuple(
      acting,
      fc.oneof(
        { arbitrary: fc.constant([]), weight: 4 },
        {
          arbitrary: fc.tuple(
            usual('idempotency-key', fc.constantFrom('one', 'two')),
            usual('if-match', fc.constantFrom('*', '"x"', 'W/"y"')),
            usual('origin', fc.constant('https://example.com')),
            usual('x-client-ip', fc.constant('192.0.2.9')),
            usual('range', fc.constantFrom('bytes=0-1', 'bytes=-1', 'bytes=9-', 'bytes=0-1,3-4')),
            usual('if-none-match', fc.constant('*')),
          ),
          weight: 1,
        },
      ),
    )
    .map(([who, others]) => {
      const headers = Object.fromEntries(
        others.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])),
      )
      return who === 'none' ? headers : { ...headers, 'x-user-id': who.replaceAll(/[^\x20-\x7e]/g, '?') }
    })
}

/** Keys name the member who acts; a member's token names its own. */
function named(
  caller: Caller,
  { 'x-user-id': who, ...others }: Record<string, string>,
  world: FuzzWorld,
): Record<string, string> {
  if (who === undefined || (who === 'own' && caller !== 'admin' && caller !== 'limited')) return others
  return { ...others, 'x-user-id': who === 'own' ? world.actor : who }
}
