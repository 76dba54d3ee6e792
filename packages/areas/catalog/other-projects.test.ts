import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { fingerprint } from '#testkit/catalog/catalogue.ts'
import type { Endpoint } from '#testkit/catalog/contract.ts'
import { type Path, partsOf, withValue } from '#testkit/catalog/json-paths.ts'
import {
  actingHeaders,
  fillPath,
  jsonBody,
  makeNamed,
  missingId,
  pathIds,
  prefixOf,
  sampleBody,
} from '#testkit/catalog/sample-requests.ts'
import type { Side } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'

// Each test walks all that there is, endpoint by endpoint: it takes as long as that is much.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

// Every route that takes an id, in its path or in its body, with ids of other projects: a new route is covered the day
// it is added.

let api: TestApi
let own: Side
/** Another project, and the other environment of the same one. */
let others: Side[]
/** Of the member that sessions and factors of `own` belong to. */
let token: string
/** What of others there is to name, by prefix. */
const foreign: Record<string, string[]> = {}
let before: string

/** Everything of the others, summed up. */
const theirs = () =>
  fingerprint(
    api.database,
    others.map(({ projectId }) => projectId),
  )

withProjects(async (opened, one, other) => {
  api = opened
  own = one.live
  others = [one.test, other.live]
  token = (await own.signIn(await own.member())).token
  for (const endpoint of api.contract.endpoints)
    for (const { prefix } of [...pathIds(endpoint), ...idsIn(endpoint)])
      foreign[prefix] ??= await Promise.all(others.map((other) => makeNamed(other, prefix)))
  before = await theirs()
})
// Each test makes some imports, of which a project may have a few unfinished ones.
beforeEach(() =>
  api.owner.query(
    "update member_imports set state = 'failed', finished_at = now() where project_id = $1 and finished_at is null",
    [own.projectId],
  ),
)

type Sent = ReturnType<typeof sampleBody>

/** What names nothing but itself, with the reason why it is the same for everybody. */
const EVERYBODYS = {
  getLinkedFile: 'the signature decides, before anything is looked up',
  getSamlServiceMetadata: 'what any provider may know of a connection: addresses that follow from its id',
  receivePaymentNotice:
    'the signature decides; of the account it says whether it exists, which providers may know',
  finishOidcLogin: 'the login’s state decides, which nobody else has; without one nothing is looked up',
  finishSamlLogin:
    'the login’s state decides, which nobody else has; of the connection it says whether there is one',
}

/** Everything of an answer that a client can tell apart; what differs from one request to the next is left out. */
async function answerTo(endpoint: Endpoint, url: string, sent: Sent) {
  const access = endpoint.operation['x-access']
  const key = access === 'open' || access.secret !== undefined ? own.key : token
  const headers = { ...actingHeaders(endpoint, await own.member()), ...sent.headers }
  const answer = await api.send(endpoint.method, url, { key, ...sent, headers })
  const { 'x-request-id': _id, 'x-ratelimit-remaining': _left, date: _date, ...others } = answer.headers
  const { ratelimit: _ratelimit, 'x-ratelimit-reset': _reset, ...comparable } = others
  return { status: answer.status, headers: comparable, body: { ...(answer.body as object), request_id: '' } }
}

const examplesOf = (endpoint: Endpoint) => jsonBody(endpoint)?.example

/** What must be done to a thing before the endpoint can work on it. */
const PREPARATIONS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  restoreMember: (id) => own.admin.delete(`/members/${id}`),
}

describe('another project’s thing is indistinguishable from a missing one', () => {
  test('in every path', async () => {
    const endpoints = api.contract.endpoints.filter(
      (endpoint) => pathIds(endpoint).length > 0 && !(endpoint.operation.operationId in EVERYBODYS),
    )
    expect(endpoints.length).toBeGreaterThan(8)
    for (const endpoint of endpoints) {
      const body = sampleBody(endpoint)
      const missing = await answerTo(endpoint, fillPath(endpoint), body)
      expect({ endpoint: endpoint.operation.operationId, status: missing.status }).toMatchObject({
        status: 404,
      })
      for (const { name, prefix } of pathIds(endpoint)) {
        for (const id of foreign[prefix] ?? [])
          expect(await answerTo(endpoint, fillPath(endpoint, { [name]: id }), body)).toEqual(missing)
      }
    }
  })

  test('while one’s own is found by the same request', async () => {
    for (const endpoint of api.contract.endpoints) {
      const names = pathIds(endpoint)
      if (names.length === 0) continue
      const ids: Record<string, string> = {}
      for (const { name, prefix } of names) ids[name] = await makeNamed(own, prefix)
      const operation = endpoint.operation.operationId
      await PREPARATIONS[operation]?.(Object.values(ids)[0] ?? '')
      const { status } = await answerTo(endpoint, fillPath(endpoint, ids), sampleBody(endpoint))
      expect({ operation, status }).not.toMatchObject({ status: 404 })
    }
  })

  test('in every body', async () => {
    let tried = 0
    for (const endpoint of api.contract.endpoints) {
      const example = examplesOf(endpoint)
      const places = idsIn(endpoint)
      const ids: Record<string, string> = {}
      // What the path names is one's own, so that it is the body that decides.
      for (const { name, prefix } of pathIds(endpoint)) ids[name] = await makeNamed(own, prefix)
      for (const { path, prefix } of places) {
        const ask = (id: string) =>
          answerTo(endpoint, fillPath(endpoint, ids), { body: withValue(example, path, id) })
        const unknown = missingId(prefix)
        const missing = JSON.stringify(await ask(unknown)).replaceAll(unknown, 'the id')
        for (const id of foreign[prefix] ?? []) {
          expect(JSON.stringify(await ask(id)).replaceAll(id, 'the id')).toBe(missing)
          tried++
        }
      }
    }
    expect(tried).toBeGreaterThan(6)
  })

  test('and none of it has changed anything of theirs', async () => {
    expect(await theirs()).toBe(before)
  })
})

/** Where in the body of an endpoint ids can stand, as the examples of its schema show. */
function idsIn(endpoint: Endpoint): { path: Path; prefix: string }[] {
  const parts = partsOf(api.contract, jsonBody(endpoint)?.schema ?? {})
  return parts.flatMap(({ path, schema }) => {
    const prefix = prefixOf((schema.examples as unknown[] | undefined)?.[0])
    return prefix === undefined ? [] : [{ path, prefix }]
  })
}
