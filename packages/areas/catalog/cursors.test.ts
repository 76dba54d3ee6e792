import { expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
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
import { withProjects } from '#testkit/with-api.ts'

// The walk through every list takes as long as there are many.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every list that takes `cursor`: a new one is covered the day it is added.

interface Answer {
  readonly details?: readonly { readonly field: string }[]
  readonly pagination?: { readonly next_cursor?: string | null; readonly page?: number }
}

let api: TestApi
let side: Side
let credentialFor: (endpoint: Endpoint) => string

withProjects(async (opened, project) => {
  api = opened
  side = project.live
  credentialFor = await makeCredentials(side)
})

const lists = () =>
  api.contract.endpoints.filter((endpoint) => queryParameters(endpoint).some(({ name }) => name === 'cursor'))

const hasPages = (endpoint: Endpoint) => queryParameters(endpoint).some(({ name }) => name === 'page')

/** The parameters that must be there, by their examples. */
const neededOf = (endpoint: Endpoint) =>
  Object.fromEntries(
    queryParameters(endpoint)
      .filter(({ required }) => required)
      .map(({ name, example }) => [name, String(example)]),
  )

async function read(endpoint: Endpoint, path: string, query: Record<string, string>) {
  const member = await memberQuery(endpoint, side)
  const parameters = new URLSearchParams({ ...neededOf(endpoint), ...member, ...query })
  return api.send<Answer>('GET', `${path}?${parameters}`, {
    key: credentialFor(endpoint),
    headers: actingHeaders(endpoint, await side.member()),
  })
}

/** The records of an answer: its only array, in `data` or under its own name. */
const recordsOf = (body: object): unknown[] =>
  Object.values(body).find((part): part is unknown[] => Array.isArray(part)) ?? []

/** The cursor of the next page: in `pagination`, or in `Link` where a list shows none. */
function nextOf({ body, headers }: Awaited<ReturnType<typeof read>>): string | undefined {
  const link = /<([^>]+)>; rel="next"/.exec(headers.link ?? '')?.[1]
  const linked = link === undefined ? undefined : new URL(link, 'http://api').searchParams.get('cursor')
  return body.pagination?.next_cursor ?? linked ?? undefined
}

/** Makes records for a list, as far as the POST of its path or the maker of its records' ids can. */
async function fill(endpoint: Endpoint, path: string): Promise<void> {
  const example = endpoint.operation.responses['200']?.content?.['application/json']?.example
  const [first] = recordsOf((example ?? {}) as object) as { id?: unknown }[]
  const prefix = prefixOf(first?.id)
  const post = api.contract.endpoints.find((each) => each.path === endpoint.path && each.method === 'POST')
  const headers = post && actingHeaders(post, await side.member())
  for (let i = 0; i < 3; i++) {
    if (pathIds(endpoint).length > 0 && post)
      await api.send('POST', path, { key: side.key, ...sampleBody(post), headers: { ...headers } })
    else if (prefix !== undefined) await makeNamed(side, prefix).catch(() => undefined)
  }
}

test('a cursor that is none is refused by every list', async () => {
  const wrong: string[] = []
  for (const endpoint of lists()) {
    const ids: Record<string, string> = {}
    for (const { name, prefix } of pathIds(endpoint)) ids[name] = await makeNamed(side, prefix)
    for (const cursor of ['x', 'W10', 'bnVsbA', 'WyJpZCIsImRlc2MiLG51bGwsIngiXQ']) {
      const { status, body } = await read(endpoint, fillPath(endpoint, ids), { cursor })
      if (status !== 400 || body.details?.[0]?.field !== 'cursor')
        wrong.push(
          `${endpoint.operation.operationId} ${cursor}: ${status} ${JSON.stringify(body).slice(0, 200)}`,
        )
    }
  }
  expect(wrong).toEqual([])
})

test('a walk by cursors meets every record once, in the order of the pages', async () => {
  const wrong: string[] = []
  let walked = 0
  for (const endpoint of lists()) {
    const name = endpoint.operation.operationId
    const ids: Record<string, string> = {}
    for (const { name: id, prefix } of pathIds(endpoint)) ids[id] = await makeNamed(side, prefix)
    const path = fillPath(endpoint, ids)
    await fill(endpoint, path)
    const expected = recordsOf((await read(endpoint, path, { limit: '100' })).body)
    // What neither a POST nor a maker makes is empty here; the test above holds for it all the same.
    if (expected.length < 2) continue
    walked += 1
    const met: unknown[] = []
    let cursor: string | undefined
    do {
      const page = await read(endpoint, path, { limit: '1', ...(cursor !== undefined && { cursor }) })
      met.push(...recordsOf(page.body))
      if (cursor !== undefined && page.body.pagination?.page !== undefined)
        wrong.push(`${name}: shows a page number behind a cursor`)
      cursor = nextOf(page)
      if (cursor !== undefined && met.length === 1 && hasPages(endpoint)) {
        const { status, body } = await read(endpoint, path, { limit: '1', cursor, page: '2' })
        if (status !== 400 || body.details?.[0]?.field !== 'cursor')
          wrong.push(`${name}: takes a page beside a cursor`)
      }
    } while (cursor !== undefined && met.length <= expected.length)
    if (JSON.stringify(met) !== JSON.stringify(expected))
      wrong.push(`${name}: ${met.length} of ${expected.length} records`)
  }
  expect(wrong).toEqual([])
  expect(walked).toBeGreaterThan(20)
})
