import { randomBytes } from 'node:crypto'
import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountId as paymentAccountId } from '#areas/billing/ids.ts'
import { makeUnsubscribeLinks as linksOfNotifications } from '#areas/notifications/mails/unsubscribe-link.ts'
import { fileLinks } from '#areas/storage/content/file-links.ts'
import { cellKeysOf, newCellSecret } from '#platform/cells/cell-secret.ts'
import { FORWARDED, makeForwardHeader } from '#platform/cells/forward-header.ts'
import { addCell, listCells, removeCell } from '#platform/cells/manage-cells.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { makeKey } from '#platform/keys/key-format.ts'
import { makeUnsubscribeLinks } from '#platform/mail/unsubscribe-links.ts'
import { migrate } from '#platform/migrate/migrate.ts'
import { makeProjectBox } from '#platform/secrets/project-box.ts'
import { rotateSigningKey, SIGNING_KEYS_PURPOSE } from '#platform/tokens/rotate-signing-key.ts'
import { startApi, type TestApi } from '#testkit/api.ts'
import { makeRow } from '#testkit/catalog/any-row.ts'
import { readTables, tenantTables } from '#testkit/catalog/catalogue.ts'
import { fillPath } from '#testkit/catalog/sample-requests.ts'
import { cloneDatabase, databaseUrl, dropDatabase, onServer, type TestDatabase } from '#testkit/database.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { listenTo } from '#testkit/listen.ts'
import { connectSaml } from '#testkit/servers/saml-idp.ts'
import { SOON } from '#testkit/soon.ts'
import { within } from '#testkit/within.ts'

// Two installations, each with a database of its own. The project `moved` was made in the first one and lives in the second one.

let databases: TestDatabase[]
let a: TestApi
let b: TestApi
let moved: TestProject
let local: TestProject
let token: string
let samlId: string
let accountId: string
let secret: string
const lines: { a: string[]; b: string[] } = { a: [], b: [] }

beforeAll(async () => {
  const first = await cloneDatabase()
  const before = await startApi({ database: first })
  ;[moved, local] = await makeProjects(before)
  token = (await moved.live.signIn()).token
  samlId = (await connectSaml(moved.live)).id
  accountId = await makePaymentAccount(first, moved.live.projectId)
  await before.close()
  const second = await copyOf(first)
  databases = [first, second]
  a = await startApi({ database: first, logTo: (line) => lines.a.push(line) })
  b = await startApi({ database: second, logTo: (line) => lines.b.push(line) })
  secret = newCellSecret()
  await addCell(a.owner, a.config, { name: 'b', url: b.url, secret, allowHttp: true })
  await addCell(b.owner, b.config, { name: 'a', url: a.url, secret, allowHttp: true })
  await a.owner.query("insert into project_locations (id, cell) select unnest($1::uuid[]), 'b'", [
    [moved.live.projectId, moved.test.projectId],
  ])
  await b.owner.query("update projects set name = 'It lives here' where id = $1", [moved.live.projectId])
  await within(5_000, async () => expect((await ask('/api-keys/self')).status).toBe(200))
})
afterAll(async () => {
  await a.close()
  await b.close()
  for (const { url } of databases) await dropDatabase(url)
})

/** A payment account of a project. @returns its public id */
async function makePaymentAccount({ url }: TestDatabase, projectId: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const tables = tenantTables(await readTables(client))
    await makeRow(client, tables, 'payment_accounts', projectId, new Map())
    const { rows } = await client.query<{ id: string }>(
      'select id from payment_accounts where project_id = $1',
      [projectId],
    )
    return toId(paymentAccountId, rows[0]?.id ?? '')
  } finally {
    await client.end()
  }
}

/** A second installation with the rows of the first one. */
async function copyOf({ url, secretKey }: TestDatabase): Promise<TestDatabase> {
  const name = `${new URL(url).pathname.slice(1)}_b`
  const copy = databaseUrl(url, name)
  await within(10_000, () =>
    onServer(
      databaseUrl(url, 'postgres'),
      `create database ${name} template ${new URL(url).pathname.slice(1)}`,
    ),
  )
  await migrate({ databaseUrl: copy, secretKey })
  return { url: copy, secretKey, drop: () => dropDatabase(copy) }
}

const ask = (path: string, { key = moved.live.key, ...init }: RequestInit & { key?: string } = {}) =>
  fetch(`${a.url}/api/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) },
  })
/** How many requests the first cell has forwarded, by what came of them. */
const forwarded = async (outcome = 'answered') => {
  const metric = await a.deps.metrics.registry.getSingleMetric('guildhall_forwarded_requests_total')?.get()
  return metric?.values.find(({ labels }) => labels.outcome === outcome && labels.cell === 'b')?.value ?? 0
}

test('keys and tokens of a project that has moved are answered by the other cell, with the id of the request and the address of the client', async () => {
  const answer = await ask('/api-keys/self', { headers: { 'x-request-id': 'asked-once' } })
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, 'asked-once'])
  expect((await ask('/user/profile', { key: token })).status).toBe(200)
  const seen = lines.b
    .map((line) => JSON.parse(line))
    .find((line) => line.request_id === 'asked-once' && line.route)
  expect(seen).toMatchObject({ from_cell: 'a', address: '127.0.0.1', status: 200 })
  const sent = lines.a
    .map((line) => JSON.parse(line))
    .find((line) => line.request_id === 'asked-once' && line.route)
  expect(sent).toMatchObject({ cell: 'b', status: 200 })
})

test('what is written through the old address is in the other cell alone', async () => {
  const email = 'written@elsewhere.example'
  const made = await ask('/members', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  expect(made.status).toBe(201)
  const count = async ({ owner }: TestApi) =>
    (await owner.query('select from members where email = $1', [email])).rowCount
  expect([await count(a), await count(b)]).toEqual([0, 1])
})

test('every operation of the document is answered by the other cell', async () => {
  const notForwarded: string[] = []
  const endpoints = a.contract.endpoints.filter(({ operation }) => operation['x-access'] !== 'open')
  expect(endpoints.length).toBeGreaterThan(100)
  for (const endpoint of endpoints) {
    const before = await forwarded()
    const aborting = new AbortController()
    const answer = await fetch(a.url + fillPath(endpoint), {
      method: endpoint.method,
      headers: { authorization: `Bearer ${moved.live.key}`, 'content-type': 'application/json' },
      ...(endpoint.method !== 'GET' && { body: '{}' }),
      signal: aborting.signal,
    })
    aborting.abort()
    if ((await forwarded()) === before)
      notForwarded.push(`${endpoint.method} ${endpoint.path}: ${answer.status}`)
  }
  expect(notForwarded).toEqual([])
})

test('open addresses that name a project are answered by the other cell', async () => {
  const { id } = moved.project
  const open = [
    `/api/v1/storage/public/${id}/file_01jcq3k8f7e8qtk4m3hbw7rn2g`,
    `/api/v1/auth/sso/${samlId}/metadata`,
    pathOf(fileLinks(a.config, moved.live.projectId, 2_000_000_000).urlOf('file_01jcq3k8f7e8qtk4m3hbw7rn2g')),
    `/api/v1/auth/sso/callback?state=${linkToken()}&code=x`,
    `/auth/continue?token=${linkToken()}`,
    ...unsubscribeLinks(),
  ]
  for (const path of open) {
    const before = await forwarded()
    await fetch(a.url + path)
    expect([path, (await forwarded()) - before]).toEqual([path, 1])
  }
})

/** Links in mails that both cells could make. */
function unsubscribeLinks(): string[] {
  const { projectId } = moved.live
  const links = [
    makeUnsubscribeLinks(a.config, {
      purpose: 'unsubscribe from discussions',
      path: '/unsubscribe',
      ids: 3,
    }).linkFor([...[projectId, newUuid(), newUuid()]]),
    linksOfNotifications(a.config).linkFor({ projectId, member: newUuid(), kinds: ['reply'] }),
  ]
  return links.map(pathOf)
}

/** As it is asked for at the old address. */
const pathOf = (link: string) => new URL(link).pathname + new URL(link).search

test('a notice of a payment provider to the old address reaches the other cell with its bytes and its signature', async () => {
  const path = `/api/v1/payment-accounts/${accountId}/webhook`
  const body = '{"id": "evt_1",  "object":"event"}'
  const send = (url: string) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
      body,
    })
  const before = await forwarded()
  const [there, here] = [await send(a.url), await send(b.url)]
  expect(await forwarded()).toBe(before + 1)
  const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code]
  expect(await codeOf(there)).toEqual(await codeOf(here))
})

/** A token of a link in a mail, which begins with the id of the project. */
const linkToken = () =>
  Buffer.concat([Buffer.from(moved.live.projectId.replaceAll('-', ''), 'hex'), randomBytes(32)]).toString(
    'base64url',
  )

test('the old address publishes the keys of the cell to which a project has moved, and that cell only its own', async () => {
  const kidsOf = async ({ url }: TestApi) =>
    ((await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys.map(
      ({ kid }) => kid,
    )
  await rotateSigningKey({
    pool: b.owner,
    box: makeProjectBox(b.config, SIGNING_KEYS_PURPOSE),
  })
  const stored = (await b.owner.query<{ id: string }>('select id from signing_keys')).rows.map(({ id }) => id)
  await expect.poll(async () => (await kidsOf(b)).toSorted(), SOON).toEqual(stored.toSorted())
  expect(await kidsOf(a)).toEqual(expect.arrayContaining(stored))
})

test('a stream through the old address is the stream of the other cell, and an aborted one is closed there', async () => {
  const stream = await listenTo(a.url, { topics: ['events'], key: moved.live.key })
  expect(stream.status).toBe(200)
  const open = async () =>
    (await b.deps.metrics.registry.metrics()).match(/^guildhall_open_streams (\d+)/m)?.[1]
  await expect.poll(open, SOON).toBe('1')
  stream.close()
  await expect.poll(open, SOON).toBe('0')
})

test('a header that says that a cell has forwarded the request is refused from everybody else', async () => {
  const of = (keys: string, url: string) =>
    makeForwardHeader(
      cellKeysOf(keys),
      { method: 'GET', url },
      { address: '192.0.2.7', projectId: undefined },
    )
  const url = '/api/v1/api-keys/self'
  const right = of(secret, url)
  const forged = [
    'v1 x 1 192.0.2.7 - x',
    'x'.repeat(8_000),
    '',
    of(newCellSecret(), url),
    of(secret, '/api/v1/members'),
    right.replace('192.0.2.7', '192.0.2.8'),
  ]
  for (const header of forged) {
    const answer = await fetch(b.url + url, {
      headers: { authorization: `Bearer ${local.live.key}`, [FORWARDED]: header },
    })
    expect([header.slice(0, 20), answer.status]).toEqual([header.slice(0, 20), 403])
  }
})

test('a forwarded request for a project that is not there is answered 503 and is not forwarded again', async () => {
  const url = '/api/v1/api-keys/self'
  const header = makeForwardHeader(
    cellKeysOf(secret),
    { method: 'GET', url },
    { address: '192.0.2.7', projectId: moved.live.projectId },
  )
  const before = await forwarded()
  const answer = await fetch(a.url + url, {
    headers: { authorization: `Bearer ${moved.live.key}`, [FORWARDED]: header },
  })
  expect([answer.status, answer.headers.get('retry-after'), (await answer.json()).code]).toEqual([
    503,
    '1',
    'PROJECT_MOVED',
  ])
  expect(await forwarded()).toBe(before)
})

test('a key that was made in the other cell works at the old address, and so does one whose old copy is gone', async () => {
  await a.owner.query('delete from api_keys where project_id = $1', [moved.test.projectId])
  await expect.poll(async () => (await ask('/api-keys/self', { key: moved.test.key })).status, SOON).toBe(200)
  const unknown = makeKey('secret', 'live').key
  expect((await ask('/api-keys/self', { key: unknown })).status).toBe(401)
})

test('paths with tricks reach the same path of the other cell and nothing else', async () => {
  for (const path of [
    '//members',
    '/..%2f..%2fhealthz',
    '/members/%2e%2e/%2e%2e',
    '/members?x=%0d%0aHost:x',
  ]) {
    const [there, here] = [await rawGet(a.url, `/api/v1${path}`), await rawGet(b.url, `/api/v1${path}`)]
    expect([path, there]).toEqual([path, here])
  }
})

/** The status of a request whose path is sent as it is. */
const rawGet = (url: string, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const { hostname, port } = new URL(url)
    httpRequest(
      { hostname, port, path, headers: { authorization: `Bearer ${moved.live.key}` } },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
      .on('error', reject)
      .end()
  })

test('a cell that is away is 503 with Retry-After at once for the others, and requests of projects here stay quick', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  silent.close()
  await addCell(a.owner, a.config, { name: 'b', url: `http://127.0.0.1:${port}`, secret, allowHttp: true })
  await expect.poll(async () => (await ask('/api-keys/self')).status, SOON).toBe(503)
  const flood = Array.from({ length: 500 }, async () => {
    const answer = await ask('/api-keys/self')
    return [answer.status, answer.headers.get('retry-after'), (await answer.json()).code].join(' ')
  })
  const headers = { 'x-request-id': 'of-a-project-here' }
  expect((await ask('/api-keys/self', { key: local.live.key, headers })).status).toBe(200)
  expect(new Set(await Promise.all(flood))).toEqual(new Set(['503 2 CELL_UNAVAILABLE']))
  const line = lines.a.map((each) => JSON.parse(each)).find((each) => each.request_id === 'of-a-project-here')
  expect(line.ms).toBeLessThan(1_000)
  await addCell(a.owner, a.config, { name: 'b', url: b.url, secret, allowHttp: true })
  await expect.poll(async () => (await ask('/api-keys/self')).status, SOON).toBe(200)
})

test('a wrong secret is 503, and the log says what is wrong', async () => {
  await addCell(a.owner, a.config, { name: 'b', url: b.url, allowHttp: true })
  // Until the new secret is known, and while a request with the old one is broken off, other answers come.
  const isSaid = () => lines.a.some((line) => line.includes('are the secrets equal'))
  await expect
    .poll(async () => ({ status: (await ask('/api-keys/self')).status, isSaid: isSaid() }), SOON)
    .toEqual({ status: 503, isSaid: true })
  await addCell(a.owner, a.config, { name: 'b', url: b.url, secret, allowHttp: true })
  await expect.poll(async () => (await ask('/api-keys/self')).status, SOON).toBe(200)
})

test('a cell in which projects live cannot be removed, and one with a path or without TLS cannot be added', async () => {
  expect(await listCells(a.owner)).toMatchObject([{ name: 'b', projects: 2 }])
  await expect(removeCell(a.owner, 'b')).rejects.toMatchObject({ status: 409 })
  await expect(removeCell(a.owner, 'none')).rejects.toMatchObject({ status: 404 })
  for (const url of [
    'http://b.example',
    'https://b.example/api',
    'ftp://b.example',
    'b',
    'https://u:p@b.example',
  ])
    await expect(addCell(a.owner, a.config, { name: 'c', url })).rejects.toMatchObject({ status: 422 })
})
