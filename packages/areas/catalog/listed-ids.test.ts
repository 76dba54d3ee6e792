import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { nameOf, type Path, partsOf, withValue } from '#testkit/catalog/json-paths.ts'
import {
  actingHeaders,
  fillPath,
  jsonBody,
  makeNamed,
  missingId,
  pathIds,
  prefixOf,
} from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Every list of a body whose entries name something: a new one is covered the day it is added.

interface Refusal {
  details?: { field: string }[]
}

let api: TestApi
let side: Side

withProjects((opened, project) => {
  api = opened
  side = project.test
})

/** The first entries of lists of a body that are ids, or that have an id, with the prefix of what they name. */
function listedIds(endpoint: Endpoint): { path: Path; prefix: string }[] {
  const { schema = {}, example } = jsonBody(endpoint) ?? {}
  return partsOf(api.contract, schema).flatMap(({ path, schema: part }) => {
    const shown = (part.examples as unknown[] | undefined)?.[0] ?? exampleAt(example, path)
    const prefix = prefixOf(shown)
    return prefix !== undefined && path.includes(0) ? [{ path, prefix }] : []
  })
}

const exampleAt = (value: unknown, path: Path): unknown =>
  path.reduce((inner, step) => (inner as Record<string | number, unknown> | undefined)?.[step], value)

/** The name of the list that an entry belongs to. */
const listOf = (path: Path): string => nameOf(path.slice(0, path.indexOf(0)))

test('an id in a list that names nothing is refused by its place, and not by the name of the list', async () => {
  const wrong: string[] = []
  const placed: string[] = []
  for (const endpoint of api.contract.endpoints) {
    for (const { path, prefix } of listedIds(endpoint)) {
      const name = `${endpoint.operation.operationId} ${nameOf(path)}`
      const ids: Record<string, string> = {}
      for (const each of pathIds(endpoint)) ids[each.name] = await makeNamed(side, each.prefix)
      const { status, body } = await api.send<Refusal>(endpoint.method, fillPath(endpoint, ids), {
        key: side.key,
        headers: actingHeaders(endpoint, await side.member()),
        body: withValue(jsonBody(endpoint)?.example, path, missingId(prefix)),
      })
      const fields = body.details?.map(({ field }) => field) ?? []
      if (fields.includes(listOf(path))) wrong.push(`${name}: ${status} ${fields.join()}`)
      if (fields.includes(nameOf(path))) placed.push(name)
    }
  }
  expect(wrong).toEqual([])
  expect(placed).toEqual(
    expect.arrayContaining([
      'createProtectionRule required_plans[0]',
      'updateProtectionRule required_plans[0]',
      'simulateProtectionRule required_plans[0]',
      'createDiscussionCategory required_plans[0]',
      'createArticle required_plans[0]',
      'createCourse prerequisites[0]',
      'createProduct images[0]',
      'createDiscount product_ids[0]',
    ]),
  )
})
