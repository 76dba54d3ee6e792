import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeCredentials } from '#testkit/areas/auth/credentials.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { actingHeaders, fillPath, makeNamed, pathIds, sampleBody } from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Every resource that can be changed, with `If-Match`: a new one is covered the day it is added.

let api: TestApi
let side: Side
let credentialFor: (endpoint: Endpoint) => string

withProjects(async (opened, project) => {
  api = opened
  side = project.live
  credentialFor = await makeCredentials(side)
})

const at = (path: string, method: string) =>
  api.contract.endpoints.find((endpoint) => endpoint.path === path && endpoint.method === method)
/** Every PATCH but these, with the reason why the last change wins there. */
const LAST_WINS: Readonly<Record<string, string>> = {
  updateCartItem: 'a cart is its member’s alone, and the change is one number',
}
const changeable = () =>
  api.contract.endpoints.filter(
    ({ method, operation }) => method === 'PATCH' && LAST_WINS[operation.operationId] === undefined,
  )

/** A request to the resource that a PATCH changes, which is made for it. */
async function makeTarget(patch: Endpoint) {
  const ids: Record<string, string> = {}
  for (const { name, prefix } of pathIds(patch)) ids[name] = await makeNamed(side, prefix)
  const headers = actingHeaders(patch, await side.member())
  const key = credentialFor(patch)
  const send = (method: string, etag?: string, sent: object = {}) =>
    api.send(method, fillPath(patch, ids), {
      key,
      ...sent,
      headers: { ...headers, ...(etag !== undefined && { 'if-match': etag }) },
    })
  return {
    read: async () => (at(patch.path, 'GET') ? (await send('GET')).headers.etag : undefined),
    write: (etag: string) => send('PATCH', etag, sampleBody(patch)),
    remove: (etag: string) => send('DELETE', etag),
  }
}

test('every PATCH refuses If-Match where it no longer fits', async () => {
  const wrong: string[] = []
  expect(changeable().length).toBeGreaterThan(20)
  for (const patch of changeable()) {
    const name = patch.operation.operationId
    const { read, write } = await makeTarget(patch)
    const first = await read()
    const refused = await write('"of another state"')
    const { etag } = refused.headers
    if (refused.status !== 412 || etag === undefined || (first ?? etag) !== etag) {
      wrong.push(`${name}: ${first}, ${refused.status} ${JSON.stringify(refused.body)}`)
      continue
    }
    const done = await write(etag)
    // An example may not fit what was made; what counts is that it was not refused for the header.
    if (done.status === 412) wrong.push(`${name}: refuses the ETag that there is`)
    const after = await read()
    if (done.status === 200 && (after ?? done.headers.etag) !== done.headers.etag)
      wrong.push(`${name}: answers another ETag than GET`)
    if (done.status === 200 && done.headers.etag === undefined) wrong.push(`${name}: answers no ETag`)
  }
  expect(wrong).toEqual([])
})

test('a DELETE refuses it alike', async () => {
  const wrong: string[] = []
  for (const patch of changeable().filter(({ path }) => at(path, 'DELETE'))) {
    const { status } = await (await makeTarget(patch)).remove('"of another state"')
    if (status !== 412) wrong.push(`${patch.operation.operationId}: ${status}`)
  }
  expect(wrong).toEqual([])
})

test('every POST that answers one resource that a PATCH changes answers its ETag, too', () => {
  const shown = ({ operation: { responses } }: Endpoint) => {
    const { content, headers = {} } = responses['200'] ?? responses['201'] ?? {}
    const schema = content?.['application/json']?.schema as
      | { properties?: Record<string, object> }
      | undefined
    const { success: _, ...answered } = schema?.properties ?? {}
    return { resource: JSON.stringify(Object.values(answered)[0]), isTagged: 'ETag' in headers }
  }
  const changed = new Set(changeable().map((patch) => shown(patch).resource))
  const untagged = api.contract.endpoints
    .filter(({ method }) => method === 'POST')
    .filter((post) => changed.has(shown(post).resource) && !shown(post).isTagged)
    .map(({ operation }) => operation.operationId)
  expect(untagged).toEqual([])
})

test('of many who change the same thing with the same ETag, one does', async () => {
  const { id } = await side.makeMember()
  const { headers } = await side.admin.get(`/members/${id}`)
  const answers = await Promise.all(
    ['A', 'B', 'C', 'D', 'E'].map((full_name) =>
      side.admin.patch(`/members/${id}`, { full_name }, { headers: { 'if-match': headers.etag ?? '' } }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412])
  const weak = (await side.admin.get(`/members/${id}`)).headers.etag
  const header = { headers: { 'if-match': `"x", W/${weak}` } }
  expect((await side.admin.patch(`/members/${id}`, { full_name: 'F' }, header)).status).toBe(200)
  const any = { headers: { 'if-match': '*' } }
  expect((await side.admin.patch(`/members/${id}`, { full_name: 'G' }, any)).status).toBe(200)
})

test('a created resource has the ETag that its GET has', async () => {
  const made = await side.admin.post<{ member: { id: string } }>('/members', {
    email: `${randomUUID()}@example.com`,
  })
  const got = await side.admin.get(`/members/${made.body.member.id}`)
  expect(made.headers.etag).toBe(got.headers.etag)
})
