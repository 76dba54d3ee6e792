import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { withApi } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// What the platform adds to the document of every route; what the routes themselves say is checked by the catalog tests.

let api: TestApi
let endpoints: readonly Endpoint[]

withApi((opened) => {
  api = opened
  endpoints = api.contract.endpoints
})

/** Names of the endpoints that break a rule; none is what every test here wants. */
const broken = (isSound: (endpoint: Endpoint) => boolean) =>
  endpoints.filter((endpoint) => !isSound(endpoint)).map(({ method, path }) => `${method} ${path}`)

describe('every operation', () => {
  test('says what it does, who may call it, and to which part of the API it belongs', () => {
    expect(endpoints.length).toBeGreaterThan(15)
    const described = new Set(
      api.contract.document.tags.filter((tag) => tag.description).map((tag) => tag.name),
    )
    expect(
      broken(
        ({ operation }) =>
          Boolean(operation.summary) &&
          /^(Access: .+|This endpoint needs no credential)\.$/m.test(operation.description ?? '') &&
          operation.tags?.length === 1 &&
          operation.tags.every((tag) => described.has(tag)),
      ),
    ).toEqual([])
    expect(new Set(endpoints.map(({ operation }) => operation.operationId)).size).toBe(endpoints.length)
  })

  test('names the credentials that may call it, with their permission or capability', () => {
    expect(
      broken(({ operation }) => {
        const access = operation['x-access']
        const schemes = operation.security?.map((entry) => Object.keys(entry)[0])
        if (access === 'open') return schemes?.length === 0
        return (
          (access.secret !== undefined) === schemes?.includes('secretKey') &&
          (access.public !== undefined) === schemes?.includes('publicKey')
        )
      }),
    ).toEqual([])
    const plans = endpoints.find(({ operation }) => operation.operationId === 'listPlans')
    expect(plans?.operation.security).toEqual([{ secretKey: [] }, { publicKey: [] }])
    expect(plans?.operation['x-access']).toEqual({ secret: 'read:plans', public: 'catalog' })
  })

  test('describes each parameter, and asks for none that has a default', () => {
    expect(
      broken(({ operation }) =>
        (operation.parameters ?? []).every(
          (parameter) =>
            Boolean(parameter.description) &&
            (parameter.in !== 'path' || parameter.required === true) &&
            !(parameter.required && parameter.schema.default !== undefined),
        ),
      ),
    ).toEqual([])
  })

  test('describes the errors that it may answer, with the headers that tell of the limit', () => {
    const expected = ({ method, path, operation }: Endpoint) => [
      ...['400', '500', '503'],
      ...(isOpen(operation) ? [] : ['401', '403', '429']),
      ...(path.includes('{') ? ['404'] : []),
      ...(method === 'GET' ? [] : ['413', '422']),
      ...(operation.requestBody === undefined ? [] : ['422']),
    ]
    expect(
      broken((endpoint) =>
        expected(endpoint).every((status) => {
          const response = api.contract.response(endpoint, status)
          const showsLimit = response?.headers?.['X-RateLimit-Remaining'] !== undefined
          return response?.content !== undefined && showsLimit !== isOpen(endpoint.operation)
        }),
      ),
    ).toEqual([])
  })
})

/** Nobody is asked for a credential, and nothing is counted. */
const isOpen = (operation: Endpoint['operation']) => operation['x-access'] === 'open'

test("each schema's own examples and defaults fit it", () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }))
  const faults: string[] = []
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return
    const { examples, default: preset, ...schema } = value as Record<string, unknown>
    const values = [...(Array.isArray(examples) ? examples : []), ...(preset === undefined ? [] : [preset])]
    // A property may be called `type` or `default`, too.
    if (values.length > 0 && typeof schema.type === 'string') {
      const validate = ajv.compile(schema)
      for (const each of values)
        if (!validate(each)) faults.push(`${path}: ${ajv.errorsText(validate.errors)}`)
    }
    for (const [name, inner] of Object.entries(value)) visit(inner, `${path}/${name}`)
  }
  // The document is read once, and not again for each schema that refers to it.
  const components = JSON.parse(
    JSON.stringify(api.contract.document.components).replaceAll('"#/components/', '"document#/components/'),
  )
  ajv.addSchema({ components }, 'document')
  visit(components.schemas, '')
  expect(faults).toEqual([])
})
