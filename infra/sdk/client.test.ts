import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { TestProject } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import {
  type ClientOptions,
  createClient,
  GuildhallError,
  isErrorOf,
} from '../../packages/sdk/src/guildhall.ts'

let api: TestApi
let project: TestProject

withProjects((opened, one) => {
  api = opened
  project = one
})

const client = (options: Partial<ClientOptions> = {}) =>
  createClient({ baseUrl: api.url, key: project.live.key, ...options })

/** What a call throws. */
const failureOf = async (promise: PromiseLike<unknown>): Promise<GuildhallError> => {
  const error = await promise.then(
    () => new Error('the call succeeded'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof GuildhallError)) throw error
  return error
}

describe('against the API', () => {
  test('a member is created, read, changed, listed and deleted', async () => {
    const guildhall = client()
    const created = await guildhall.members.create({ email: 'ada@sdk.example', full_name: 'Ada Lovelace' })
    expect(created.email).toBe('ada@sdk.example')
    expect((await guildhall.members.get(created.id)).full_name).toBe('Ada Lovelace')
    await guildhall.members.update(created.id, { metadata: { company: 'Analytical Engines' } })
    const { data } = await guildhall.members.list({
      metadata: { company: 'Analytical Engines' },
      include: ['role', 'updated_at'],
    })
    expect(data).toEqual([expect.objectContaining({ id: created.id, role: 'member' })])
    expect(await guildhall.members.delete(created.id)).toEqual({ id: created.id, deleted: true })
    const error = await failureOf(guildhall.members.get(created.id))
    expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, operation: 'members.get' })
  })

  test('for await goes through all pages of a list, and of one whose next page is in a header', async () => {
    const guildhall = client()
    for (const i of [1, 2, 3, 4, 5]) {
      await guildhall.members.create({ email: `page${i}@sdk.example` })
      await guildhall.help.categories.create({ name: `Category ${i}`, slug: `category-${i}` })
    }
    const emails: string[] = []
    for await (const { email } of guildhall.members.list({ search: 'page', limit: 2, order: 'asc' }))
      emails.push(email)
    expect(emails).toEqual([1, 2, 3, 4, 5].map((i) => `page${i}@sdk.example`))
    const names: string[] = []
    for await (const { name } of guildhall.help.categories.list({ limit: 2 })) names.push(name)
    expect(names.toSorted()).toEqual([1, 2, 3, 4, 5].map((i) => `Category ${i}`))
    const pages: number[] = []
    for await (const page of guildhall.members.list({ search: 'page', limit: 2 }).pages())
      pages.push(page.data.length)
    expect(pages).toEqual([2, 2, 1])
  })

  test('an error has its code, the faults of the input, the id of the request and the page that explains it', async () => {
    const guildhall = client()
    const invalid = await failureOf(guildhall.members.create({ email: 'nobody' }))
    expect(invalid).toMatchObject({
      ...{ code: 'VALIDATION_ERROR', status: 422, operation: 'members.create' },
      docs: `${api.url}/docs/errors/VALIDATION_ERROR`,
      details: [expect.objectContaining({ field: 'email' })],
    })
    expect(invalid.requestId).toMatch(/^req_/)
    await guildhall.members.create({ email: 'twice@sdk.example' })
    const error = await failureOf(guildhall.members.create({ email: 'twice@sdk.example' }))
    if (!isErrorOf('members.create', error)) throw error
    // The type knows the code of this operation.
    expect(error.code === 'EMAIL_TAKEN').toBe(true)
  })

  test('the address of the API may end with a slash, or with /api/v1', async () => {
    for (const end of ['/', '//', '/api/v1', '/api/v1/'])
      expect((await client({ baseUrl: api.url + end }).apiKeys.self.get()).type).toBe('secret')
    for (const baseUrl of ['', 'api.example.com', 'ftp://example.com'])
      expect(() => client({ baseUrl })).toThrow(/baseUrl must be the address of the API/)
  })

  test('an operation that this version does not know is called by its path', async () => {
    const { data } = await client().request<{ data: object[] }>('GET', '/members', { query: { limit: 1 } })
    expect(Array.isArray(data)).toBe(true)
    const error = await failureOf(client().request('POST', '/things-of-tomorrow', { body: {} }))
    expect(error).toMatchObject({ code: 'NOT_FOUND', operation: 'POST /things-of-tomorrow' })
  })

  test('an ETag protects a change: what somebody else has changed is not overwritten', async () => {
    const guildhall = client()
    const { id } = await guildhall.members.create({ email: 'etag@sdk.example' })
    let etag: string | null = null
    await guildhall.members.get(id, {}, { onResponse: ({ headers }) => (etag = headers.get('etag')) })
    await guildhall.members.update(id, { full_name: 'First' }, { ifMatch: String(etag) })
    const error = await failureOf(
      guildhall.members.update(id, { full_name: 'Second' }, { ifMatch: String(etag) }),
    )
    expect(error.code).toBe('CHANGED_MEANWHILE')
  })

  test('a key acts as a member, and an id with a slash stays one part of the path', async () => {
    const guildhall = client()
    const actingMember = await project.live.member()
    expect((await guildhall.shop.cart.get({}, { actingMember })).lines).toEqual([])
    expect((await failureOf(guildhall.shop.cart.get())).status).toBe(400)
    const error = await failureOf(guildhall.members.get('../plans'))
    expect(error.code).toBe('NOT_FOUND')
    expect(await failureOf(guildhall.members.get(''))).toMatchObject({ code: 'CANNOT_BE_SENT' })
  })

  test('a secret key is refused in a browser, and a public key is not', () => {
    vi.stubGlobal('document', {})
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    expect(() => client()).toThrow('A secret key must not be in a browser')
    expect(() => client({ key: 'svc_pk_live_x' })).not.toThrow()
  })
})

test('the program of docs/sdk.md runs as it is written', async () => {
  const page = await readFile(new URL('../../docs/sdk.md', import.meta.url), 'utf8')
  const source = new URL('../../packages/sdk/src/guildhall.ts', import.meta.url).href
  const program = (/^```ts\n(.*?)^```$/ms.exec(page)?.[1] ?? '')
    .replace("'@guildhall/sdk'", `'${source}'`)
    .replace('https://api.example.com', api.url)
  await client().members.create({ email: 'ada@example.com' })
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '-e', program],
    { env: { GUILDHALL_KEY: project.live.key } },
  )
  expect(stdout.trim().split('\n')).toEqual(expect.arrayContaining(['ada@example.com', 'already a member']))
})

describe('where things fail', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  /** A server in place of the API. @returns its address, and the requests that it was sent */
  async function serve(answer: (count: number) => RequestListener) {
    const requests: { method: string; key: string | undefined }[] = []
    const server = createServer((request, response) => {
      const key = request.headers['idempotency-key']
      requests.push({ method: String(request.method), key: typeof key === 'string' ? key : undefined })
      answer(requests.length)(request, response)
    })
    servers.push(server.listen(0, '127.0.0.1'))
    await once(server, 'listening')
    return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
  }

  const json =
    (status: number, body: object, headers: Record<string, string> = {}): RequestListener =>
    (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    }
  const busy = { success: false, error: 'Busy', code: 'UNAVAILABLE' }
  const cut: RequestListener = (request) => void request.socket.destroy()
  const member = json(201, { member: { id: 'mem_1' } })

  test('what creates something is repeated with one key, so that it is done once', async () => {
    const { baseUrl, requests } = await serve((count) => (count < 3 ? cut : member))
    await client({ baseUrl }).members.create({ email: 'a@example.com' })
    expect(requests).toHaveLength(3)
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
    expect(requests[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a POST without a key is not repeated when nobody knows whether it was done; a read is', async () => {
    const { baseUrl, requests } = await serve(() => cut)
    const guildhall = client({ baseUrl, retries: 1 })
    expect((await failureOf(guildhall.analytics.track({ event: 'signup' }))).code).toBe('NO_ANSWER')
    expect(requests).toEqual([{ method: 'POST', key: undefined }])
    expect((await failureOf(guildhall.members.get('mem_1'))).code).toBe('NO_ANSWER')
    expect(requests.slice(1).map(({ method }) => method)).toEqual(['GET', 'GET'])
  })

  test('Retry-After is obeyed, and one of an hour is told and not waited for', async () => {
    const { baseUrl } = await serve((count) =>
      count === 1 ? json(503, busy, { 'retry-after': '1' }) : member,
    )
    const started = performance.now()
    await client({ baseUrl }).members.create({ email: 'a@example.com' })
    expect(performance.now() - started).toBeGreaterThan(950)
    const closed = await serve(() => json(429, { ...busy, code: 'RATE_LIMITED' }, { 'retry-after': '3600' }))
    const error = await failureOf(client(closed).members.get('mem_1'))
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 3600 })
    expect(closed.requests).toHaveLength(1)
  })

  test('a page of a proxy is said to be one, whatever its status', async () => {
    const page =
      (status: number): RequestListener =>
      (_request, response) => {
        response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
      }
    for (const status of [200, 502]) {
      const { baseUrl } = await serve(() => page(status))
      const error = await failureOf(client({ baseUrl, retries: 0 }).members.get('mem_1'))
      expect(error).toMatchObject({ code: 'NOT_JSON', status })
      expect(error.message).toContain(`${status} with text/html`)
    }
  })

  test('an answer that ends in the middle, or never comes, is an error with a code', async () => {
    const half: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"success":true,"data":{"id"', () => response.destroy())
    }
    const broken = await serve(() => half)
    expect(await failureOf(client(broken).members.get('mem_1'))).toMatchObject({ code: 'NO_ANSWER' })
    const silent = await serve(() => () => {})
    const error = await failureOf(client({ ...silent, timeout: 50, retries: 0 }).members.get('mem_1'))
    expect(error.code).toBe('TIMEOUT')
  })

  test('a call that is aborted ends with the reason of the signal, also while it waits to try again', async () => {
    const { baseUrl, requests } = await serve(() => json(503, busy, { 'retry-after': '30' }))
    const controller = new AbortController()
    const call = client({ baseUrl }).members.get('mem_1', {}, { signal: controller.signal })
    await vi.waitFor(() => expect(requests).toHaveLength(1))
    controller.abort(new Error('the page was left'))
    await expect(call).rejects.toThrow('the page was left')
  })

  test('words that a newer API answers come through', async () => {
    const { baseUrl } = await serve(() =>
      json(200, { success: true, data: { id: 'mem_1', status: 'frozen' } }),
    )
    const { status } = await client({ baseUrl }).members.get('mem_1')
    expect(status).toBe('frozen')
  })
})
