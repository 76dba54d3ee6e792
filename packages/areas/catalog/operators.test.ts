import { expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeOperator, setRole } from '#testkit/areas/console.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { fillPath } from '#testkit/catalog/sample-requests.ts'
import type { TestProject } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every route of /api/v1 with the token of an operator, by role: a new route is covered the day it is added.

let api: TestApi
let project: TestProject
let endpoints: Endpoint[]

withProjects((opened, one) => {
  api = opened
  project = one
  endpoints = api.contract.endpoints.filter(({ operation }) => operation['x-access'] !== 'open')
})

const isForOperators = ({ operation }: Endpoint) => {
  const access = operation['x-access']
  return access !== 'open' && access.secret !== undefined
}

/** What each endpoint answers to a request that names what is missing. */
async function unexpected(role: 'viewer' | 'admin' | 'owner', isLetIn: (endpoint: Endpoint) => boolean) {
  const found: string[] = []
  let token = ''
  for (const [at, endpoint] of endpoints.entries()) {
    // An operator has 600 requests a minute.
    if (at % 300 === 0) {
      const operator = await makeOperator(api)
      await setRole(api, project.live.projectId, operator.id, role)
      token = await operator.tokenFor(project.project.id, 'test')
    }
    const { status } = await api.send(endpoint.method, fillPath(endpoint), {
      key: token,
      ...(endpoint.method !== 'GET' && { body: {} }),
    })
    const answer = status >= 500 ? `fails with ${status}` : status === 403 ? 'refused' : 'let in'
    const wanted = isLetIn(endpoint) ? 'let in' : 'refused'
    if (answer !== wanted) found.push(`${endpoint.method} ${endpoint.path}: ${answer} instead of ${wanted}`)
  }
  return found
}

test('a viewer may read, but no secret, and change nothing', async () => {
  const hidden = endpoints.filter(({ operation }) => 'x-hidden-from-viewers' in operation)
  expect(hidden.length).toBeGreaterThan(5)
  const isLetIn = (endpoint: Endpoint) =>
    isForOperators(endpoint) && endpoint.method === 'GET' && !hidden.includes(endpoint)
  expect(await unexpected('viewer', isLetIn)).toEqual([])
})

/** Whether a schema of the document has one of these properties somewhere. */
function hasProperty(schema: unknown, names: readonly string[], seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
  seen.add(schema)
  const { $ref, properties } = schema as { $ref?: string; properties?: object }
  if (properties !== undefined && names.some((name) => name in properties)) return true
  const named = $ref?.slice('#/'.length).split('/')
  const target = named?.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | undefined)?.[key],
    api.contract.document,
  )
  return [target, ...Object.values(schema)].some((each) => hasProperty(each, names, seen))
}

test('a viewer reads nothing that tells the factors and passkeys of members', () => {
  const telling = endpoints.filter(
    ({ method, operation }) =>
      method === 'GET' &&
      Object.entries(operation.responses).some(
        ([status, answer]) => status < '300' && hasProperty(answer, ['amr', 'aal', 'factor', 'factors']),
      ),
  )
  const forOperators = telling.filter(isForOperators)
  expect(forOperators.map(({ operation }) => operation.operationId)).toContain('listMemberSessions')
  expect(
    forOperators.filter(({ operation }) => !('x-hidden-from-viewers' in operation)).map(({ path }) => path),
  ).toEqual([])
})

test.each(['admin', 'owner'] as const)('an %s may call all that a secret key may', async (role) => {
  expect(await unexpected(role, isForOperators)).toEqual([])
})
