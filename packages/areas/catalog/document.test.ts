import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { areas } from '#areas/areas.ts'
import { SDK_VERBS } from '#platform/http/openapi/sdk-names.ts'
import type { TestApi } from '#testkit/api.ts'
import type { Content, Endpoint, Schema } from '#testkit/catalog/contract.ts'
import { nameOf, partsOf } from '#testkit/catalog/json-paths.ts'
import { withApi } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// The API's own document: what it says of every route can be relied on.

let api: TestApi

withApi((opened) => {
  api = opened
})

/** What is wrong with each endpoint; nothing is what every test here wants. */
const faults = (find: (endpoint: Endpoint) => readonly (string | undefined)[]): string[] =>
  api.contract.endpoints.flatMap((endpoint) =>
    find(endpoint)
      .filter((fault) => fault !== undefined)
      .map((fault) => `${endpoint.method} ${endpoint.path}: ${fault}`),
  )

test('every operation is named, summed up, filed under a tag, and says who may call it', () => {
  const ids = api.contract.endpoints.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  const undocumented = faults(({ operation }) =>
    (['operationId', 'summary', 'tags', 'x-access'] as const).filter(
      (field) => operation[field] === undefined,
    ),
  )
  expect(undocumented).toEqual([])
})

/** Methods that are no word of their path. */
const OWN_ACTS = [
  ...['trackPageview', 'trackBatch', 'trackSite', 'record', 'recordBatch', 'checkBatch', 'changeInBulk'],
  ...['request', 'begin', 'beginLogin', 'finishOidc', 'finishOldOidc', 'finishSaml', 'receiveNotice'],
  ...['subscribe', 'unsubscribe', 'unvote', 'findSimilar', 'rate', 'apply'],
  ...['exportData', 'upload', 'signUrl', 'open'],
]

test('every operation has a name of its own in client libraries: a verb of all resources, or an act of its path', () => {
  const names = api.contract.endpoints.map(({ operation }) => operation['x-sdk'])
  const whole = names.map(({ group, method }) => `${group}.${method}`)
  expect(whole.filter((name, i) => whole.indexOf(name) !== i)).toEqual([])
  const groups = new Set(
    names.flatMap(({ group }) => {
      const words = group.split('.')
      return words.map((_, i) => words.slice(0, i + 1).join('.'))
    }),
  )
  expect(whole.filter((name) => groups.has(name))).toEqual([])
  expect(whole.filter((name) => !/^(?:[a-z][A-Za-z]*\.)+[a-z][A-Za-z]*$/.test(name))).toEqual([])
  const strange = faults(({ path, operation }) => {
    const { method } = operation['x-sdk']
    const words = path.replaceAll('-', '').toLowerCase().split('/')
    const isOfPath = words.some((word) => [word, `un${word}`].includes(method.toLowerCase()))
    return isOfPath || isOneOf(SDK_VERBS, method) || OWN_ACTS.includes(method) ? [] : [method]
  })
  expect(strange).toEqual([])
})

const isOneOf = (words: readonly string[], word: string) => words.includes(word)

test('client libraries send keys by themselves to what takes keys and does harm if it is done twice', () => {
  const costly = api.contract.endpoints.filter(({ operation }) => operation['x-idempotency'] === 'key')
  const takesKey = ({ operation }: Endpoint) =>
    operation.parameters?.some(({ name }) => name === 'Idempotency-Key') === true
  expect(costly.filter((endpoint) => !takesKey(endpoint))).toEqual([])
  const ids = new Set(costly.map(({ operation }) => operation.operationId))
  for (const id of ['createMember', 'payBill', 'refundOrder', 'verifyMagicLink', 'checkOut'])
    expect(ids).toContain(id)
  for (const id of ['trackEvent', 'checkPage', 'publishForm', 'getFunnel', 'createStreamTicket'])
    expect(ids).not.toContain(id)
})

test('bodies, lists of words and the parameters that many operations share are named parts of the document', async () => {
  const { paths, webhooks, components } = (await (await fetch(`${api.url}/openapi.json`)).json()) as Served
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  const unnamed: string[] = []
  for (const { operationId, requestBody, responses } of [
    ...operations,
    ...Object.values(webhooks).map(({ post }) => post),
  ]) {
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    const bodies = [requestBody, ...successes.map(([, answer]) => answer)]
    for (const schema of bodies.map((body) => body?.content?.['application/json']?.schema))
      if (schema !== undefined && schema['$ref'] === undefined) unnamed.push(`a body of ${operationId}`)
  }
  const lookForWords = (part: unknown, where: string): void => {
    if (typeof part !== 'object' || part === null) return
    const { enum: words = [] } = part as { enum?: unknown[] }
    if (words.length > 1 && words.every((word) => typeof word === 'string')) unnamed.push(`words in ${where}`)
    for (const [name, inner] of Object.entries(part))
      if (!name.startsWith('example')) lookForWords(inner, where)
  }
  for (const [name, schema] of Object.entries(components.schemas))
    if (schema['enum'] === undefined) lookForWords(schema, name)
  for (const { operationId, parameters = [] } of operations) lookForWords(parameters, operationId)
  expect(unnamed).toEqual([])
  const shared = operations.flatMap(({ parameters = [] }) => parameters.map(({ name }) => name))
  for (const name of ['Idempotency-Key', 'If-Match', 'X-User-ID', 'page']) expect(shared).not.toContain(name)
})

test('every field of every schema is described', async () => {
  const { components } = (await (await fetch(`${api.url}/openapi.json`)).json()) as Served
  const isDescribed = ({ $ref, description }: Schema) =>
    description !== undefined ||
    components.schemas[String($ref).split('/').at(-1) ?? '']?.['description'] !== undefined
  const mute: string[] = []
  const visit = (part: unknown, where: string): void => {
    if (typeof part !== 'object' || part === null) return
    const { properties = {}, examples: _, ...others } = part as Schema
    for (const [name, field] of Object.entries(properties as Record<string, Schema>)) {
      if (!isDescribed(field)) mute.push(`${where}.${name}`)
      visit(field, `${where}.${name}`)
    }
    for (const inner of Object.values(others)) visit(inner, where)
  }
  for (const [name, schema] of Object.entries(components.schemas)) visit(schema, name)
  expect(mute).toEqual([])
})

/** The document as it is served. */
interface Served {
  readonly paths: Record<string, Record<string, ServedOperation>>
  readonly webhooks: Record<string, { readonly post: ServedOperation }>
  readonly components: { readonly schemas: Record<string, Schema> }
}

interface ServedOperation {
  readonly operationId: string
  readonly parameters?: readonly Schema[]
  readonly requestBody?: Content
  readonly responses: Record<string, Content>
}

test('every operation says what it answers where it succeeds', () => {
  const mute = faults(({ operation }) => {
    const succeeds = Object.keys(operation.responses).some((status) => /^2|^303$/.test(status))
    return succeeds ? [] : ['no success']
  })
  expect(mute).toEqual([])
})

test('every body is closed, or says that it is free-form', () => {
  const open = faults(({ operation }) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
      partsOf(api.contract, schema)
        .filter((part) => part.schema.type === 'object' && !isDecided(part.schema))
        .map(({ path }) => `the body is open at '${nameOf(path)}'`),
    ),
  )
  expect(open).toEqual([])
})

/** No field beside the listed ones; or any field, declared explicitly; or no list, but a rule for all values. */
const isDecided = ({ additionalProperties, properties }: Schema) =>
  typeof additionalProperties === 'boolean' ||
  (additionalProperties !== undefined && properties === undefined)

test('every documented example fits its schema', () => {
  let examples = 0
  const check = (where: string, { content = {} }: Content): (string | undefined)[] =>
    Object.values(content).flatMap(({ schema = {}, example, examples: named = {} }) => {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(named).map(({ value }) => value),
      ]
      examples += values.length
      if (values.length === 0) return [`${where} has no example`]
      return values.map((value) => {
        const fault = api.contract.faultOf(schema, value)
        return fault && `${where}: ${fault}`
      })
    })
  const wrong = faults((endpoint) => {
    const { requestBody, responses, parameters = [] } = endpoint.operation
    return [
      ...(requestBody ? check('the body', requestBody) : []),
      ...Object.keys(responses).flatMap((status) =>
        check(status, api.contract.response(endpoint, status) ?? {}),
      ),
      ...parameters.map(({ name, schema, example }) => {
        const fault = example === undefined ? undefined : api.contract.faultOf(schema, example)
        return fault && `${name}: ${fault}`
      }),
    ]
  })
  expect(wrong).toEqual([])
  expect(examples).toBeGreaterThan(100)
})

/** What is answered where it is not what the path names. */
const DELETED_OTHERS: Readonly<Record<string, string>> = {
  '/api/v1/lms/lessons/{id}/quiz': 'quiz_',
  '/api/v1/shop/cart': 'cart_',
  '/api/v1/shop/cart/discount': 'cart_',
  '/api/v1/user/profile': 'mem_',
}

test('a delete answers the kind of id that its path names, and a test of webhooks the event of a test', () => {
  const wrong = faults((endpoint) => {
    const { responses, parameters = [] } = endpoint.operation
    if (endpoint.method !== 'DELETE') return []
    const { data } = (responses['200']?.content?.['application/json']?.example ?? {}) as Example
    const id = parameters.findLast((parameter) => parameter.in === 'path')?.example
    if (data?.deleted !== true) return []
    const expected = DELETED_OTHERS[endpoint.path] ?? id
    const isRight = typeof expected === 'string' && data.id?.startsWith(expected)
    return [isRight ? undefined : `${data.id} instead of ${expected}`]
  })
  expect(wrong).toEqual([])
  const post = (path: string) =>
    api.contract.endpoints.find((endpoint) => endpoint.path === path && endpoint.method === 'POST')?.operation
  const tested = post('/api/v1/webhooks/{id}/test')?.responses['200']?.content?.['application/json']
  expect(tested?.example).toMatchObject({ data: { event_type: 'webhook.test' } })
  const form = post('/api/v1/forms/{id}/submissions')?.requestBody?.content?.['multipart/form-data']
  expect(form?.example).toHaveProperty('attachment')
})

interface Example {
  data?: { id?: string; deleted?: boolean }
}

test('its texts use none of the figures of speech that a reader would have to guess', () => {
  const figures =
    /\b(?:must NOT|dies|kills?|says nothing|counts from|is no (?!longer|such)\w+ of|[Ww]hoever|anew|mend(?:ed)?|told|goes on|for good|where omitted|where left out)\b/
  // A description without a subject.
  const fragments = /^(?:Of|Shown|Until then)\b/
  const texts: string[] = []
  const visit = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && ['summary', 'description', 'error'].includes(name)) texts.push(value)
    if (typeof value === 'object' && value !== null)
      for (const [inner, part] of Object.entries(value)) visit(part, inner)
  }
  visit(api.contract.document)
  expect(texts.length).toBeGreaterThan(1_000)
  expect(texts.filter((text) => figures.test(text) || fragments.test(text))).toEqual([])
})

test('the introduction lists the operations whose answers have a shape of their own, and no others', () => {
  const { description } = (api.contract.document as unknown as { info: { description: string } }).info
  const shaped = api.contract.endpoints.filter(({ operation }) => {
    const [, answer] = Object.entries(operation.responses).find(([status]) => status.startsWith('2')) ?? []
    const described = answer?.content?.['application/json']?.schema
    const properties = partsOf(api.contract, described ?? {})[0]?.schema.properties as object | undefined
    return properties !== undefined && !('success' in properties && 'data' in properties)
  })
  const exceptions = shaped.map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`)
  const isListed = (name: string) => description.includes(`\`${name}\``)
  // One row is for all logins.
  expect(exceptions.filter((name) => !/^\w+ \/auth\//.test(name) && !isListed(name))).toEqual([])
  const table = description
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n')
  const listed = [...table.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) [^`]+)`/g)].map(([, name]) => name)
  expect(listed.length).toBeGreaterThan(5)
  expect(listed.filter((name) => name !== undefined && !exceptions.includes(name))).toEqual([])
})

test('every event is a webhook of the document, with its body and headers', () => {
  const { webhooks = {} } = api.contract.document as { webhooks?: Record<string, Webhook> }
  const names = areas.flatMap(({ events = {} }) => Object.values(events).map(({ name }) => name))
  expect(Object.keys(webhooks).sort()).toEqual(names.sort())
  for (const { post } of Object.values(webhooks)) {
    expect(post.parameters.map(({ name }) => name)).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ])
    expect(post.requestBody.content['application/json']).toHaveProperty('schema')
  }
})

interface Webhook {
  post: { parameters: { name: string }[]; requestBody: { content: Record<string, object> } }
}

test('every operation that answers a member takes include=role, and its answer has a role', () => {
  const answering: string[] = []
  const lacking = faults(({ operation }) => {
    const answers = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
    const schemas = answers.flatMap(([, { content = {} }]) =>
      Object.values(content).map(({ schema = {} }) => schema),
    )
    const members = schemas.flatMap((schema) => membersIn(schema))
    if (members.length === 0) return []
    answering.push(operation.operationId)
    const include = operation.parameters?.find(({ name }) => name === 'include')
    const isTaken = new RegExp(String(include?.schema['pattern'])).test('role')
    return [
      isTaken ? undefined : 'no include=role',
      members.every((each) => 'role' in each) ? undefined : 'no role',
    ]
  })
  expect(lacking).toEqual([])
  expect(answering).toEqual(
    expect.arrayContaining([
      'createMember',
      'signUp',
      'logIn',
      'createInvitation',
      'verifyEmail',
      'updateMember',
    ]),
  )
})

/** The fields of each member that a schema has in it. */
function membersIn(schema: Schema, depth = 0): Record<string, Schema>[] {
  if (depth > 6) return []
  const whole = schema['$ref'] === undefined ? schema : api.contract.resolve(String(schema['$ref']))
  const properties = (whole['properties'] ?? {}) as Record<string, Schema>
  const isMember = 'email' in properties && ('joined_date' in properties || 'full_name' in properties)
  const own = isMember ? [properties] : []
  const parts = [...Object.values(properties), ...((whole['anyOf'] ?? []) as Schema[])]
  if (whole['items'] !== undefined) parts.push(whole['items'] as Schema)
  return [...own, ...parts.flatMap((part) => membersIn(part, depth + 1))]
}

test('Redocly finds nothing by its recommended rules, each of which is an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-openapi-'))
  try {
    const response = await fetch(`${api.url}/openapi.json`)
    await writeFile(join(folder, 'openapi.json'), await response.text())
    const { code, output } = await lint(folder)
    expect(output).toContain('Your API description is valid')
    expect(output).not.toMatch(/warning/i)
    expect(code).toBe(0)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('no two paths can be taken for each other, but for those that the contract fixes', () => {
  const fixed = [
    '/api/v1/webhooks/deliveries/{id}',
    '/api/v1/members/imports/{id}',
    '/api/v1/lms/certificates/verify/{code}',
    '/api/v1/moderation/rules/{id}',
  ]
  const paths = Object.keys(api.contract.document.paths)
  expect(paths).toEqual(expect.arrayContaining(fixed))
  const pairs = paths.flatMap((one, i) => paths.slice(i + 1).map((other) => [one, other] as const))
  expect(pairs.filter((pair) => isAmbiguous(...pair) && !pair.some((path) => fixed.includes(path)))).toEqual(
    [],
  )
})

/** As Redocly has it: each path has a parameter where the other one has a literal. */
function isAmbiguous(one: string, other: string): boolean {
  const [a, b] = [one.split('/'), other.split('/')]
  const isParameter = (segment = '') => segment.startsWith('{')
  const count = (segments: string[]) => segments.filter(isParameter).length
  if (a.length !== b.length || count(a) !== count(b)) return false
  return a.every((segment, i) => segment === b[i] || isParameter(segment) || isParameter(b[i]))
}

function lint(folder: string): Promise<{ code: number | null; output: string }> {
  const redocly = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
  const config = fileURLToPath(new URL('../../../redocly.yaml', import.meta.url))
  const child = spawn(process.execPath, [redocly, 'lint', `--config=${config}`, 'openapi.json'], {
    cwd: folder,
    // The suite asks nobody but its own servers.
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
