import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '#testkit/api.ts'
import type { Endpoint } from '#testkit/contract.ts'
import { makeCredentials } from '#testkit/credentials.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { actingHeaders, fillPath, makeNamed, pathIds, sampleBody } from '#testkit/sample-requests.ts'

// Every resource that can be read and changed, with `If-Match`: a new one is covered the day it is added.

let api: TestApi
let side: Side
let credentialFor: (endpoint: Endpoint) => string

beforeAll(async () => {
  api = await startApi()
  const [project] = await makeProjects(api)
  side = project.live
  credentialFor = await makeCredentials(side)
})
afterAll(() => api.close())

const at = (path: string, method: string) =>
  api.contract.endpoints.find((endpoint) => endpoint.path === path && endpoint.method === method)
/** What has a GET and a PATCH of the same path that takes If-Match. */
const changeable = () =>
  api.contract.endpoints
    .filter(({ method, operation }) => method === 'PATCH' && takesIfMatch(operation))
    .flatMap((patch) => {
      const get = at(patch.path, 'GET')
      return get ? [{ get, patch }] : []
    })
const takesIfMatch = ({ parameters }: Endpoint['operation']) =>
  parameters?.some(({ name }) => name === 'If-Match') ?? false

test('a PATCH that takes If-Match refuses it where it no longer fits', async () => {
  const wrong: string[] = []
  expect(changeable().length).toBeGreaterThan(8)
  for (const { get, patch } of changeable()) {
    const name = patch.operation.operationId
    const ids: Record<string, string> = {}
    for (const { name: id, prefix } of pathIds(patch)) ids[id] = await makeNamed(side, prefix)
    const url = fillPath(patch, ids)
    const key = credentialFor(get)
    const acting = actingHeaders(patch, await side.member())
    const read = async () => (await api.send('GET', url, { key, headers: acting })).headers.etag
    const write = (etag = '""') =>
      api.send('PATCH', url, {
        key,
        ...sampleBody(patch),
        headers: { ...acting, 'if-match': etag },
      })
    const first = await read()
    const refused = await write('"of another state"')
    if (first === undefined || refused.status !== 412 || refused.headers.etag !== first) {
      wrong.push(`${name}: ${first}, ${refused.status} ${JSON.stringify(refused.body)}`)
      continue
    }
    const done = await write(first)
    // An example may not fit what was made; what counts is that it was not refused for the header.
    if (done.status === 412) wrong.push(`${name}: refuses the ETag of its GET`)
    if (done.status === 200 && done.headers.etag !== (await read()))
      wrong.push(`${name}: answers another ETag than GET`)
  }
  expect(wrong).toEqual([])
})

test('a DELETE refuses it alike', async () => {
  const wrong: string[] = []
  for (const { patch } of changeable()) {
    const remove = at(patch.path, 'DELETE')
    if (!remove) continue
    const ids: Record<string, string> = {}
    for (const { name, prefix } of pathIds(remove)) ids[name] = await makeNamed(side, prefix)
    const { status } = await api.send('DELETE', fillPath(remove, ids), {
      key: credentialFor(remove),
      headers: { ...actingHeaders(remove, await side.member()), 'if-match': '"of another state"' },
    })
    if (status !== 412) wrong.push(`${remove.operation.operationId}: ${status}`)
  }
  expect(wrong).toEqual([])
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
  const made = await side.admin.post<{ member: { id: string } }>('/members', { email: 'etag@example.com' })
  const got = await side.admin.get(`/members/${made.body.member.id}`)
  expect(made.headers.etag).toBe(got.headers.etag)
})
