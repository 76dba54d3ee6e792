import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { TestProject } from '#testkit/factories.ts'
import { withProjects } from '#testkit/with-api.ts'
import {
  createClient,
  MemberSession,
  type SessionOptions,
  streamEvents,
  type TokenStorage,
} from '../../packages/sdk/src/guildhall.ts'

let api: TestApi
let project: TestProject
let key: string
let made = 0

withProjects(async (opened, one) => {
  api = opened
  project = one
  key = (await one.live.makeKey({ type: 'public' })).key
})

const open: MemberSession[] = []
afterEach(() => {
  for (const session of open.splice(0)) session.dispose()
})

/** A storage that several tabs share. */
function sharedStorage(): TokenStorage & { readonly items: Map<string, string> } {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
    removeItem: (name) => void items.delete(name),
  }
}

function tab(storage: TokenStorage, options: Partial<SessionOptions> = {}): MemberSession {
  const session = new MemberSession({ baseUrl: api.url, key, storage, name: `session-${made}`, ...options })
  open.push(session)
  return session
}

/** Logs a new member in. @returns the tokens */
async function logIn() {
  made++
  const email = `session${made}@sdk.example`
  const password = 'correct horse battery staple'
  await createClient({ baseUrl: api.url, key: project.live.key }).members.create({ email, password })
  const answer = await createClient({ baseUrl: api.url, key }).auth.login({ email, password })
  if (answer.mfa_required) throw new Error('no second factor was set up')
  return { tokens: answer.session, email }
}

/** Lets the access token end. */
function expire(storage: ReturnType<typeof sharedStorage>): void {
  for (const [name, value] of storage.items)
    storage.items.set(name, JSON.stringify({ ...JSON.parse(value), expires: 0 }))
}

const emailOf = async (session: MemberSession) =>
  (await createClient({ baseUrl: api.url, token: session.token }).user.profile.get()).email

describe('the session of a member', () => {
  test('gives the member access, also after the token has ended, and by a clock that is an hour off', async () => {
    const storage = sharedStorage()
    const { tokens, email } = await logIn()
    const session = tab(storage)
    session.start(tokens)
    expect(await emailOf(session)).toBe(email)
    expire(storage)
    expect(await emailOf(session)).toBe(email)
    expect(await session.token()).not.toBe(tokens.access_token)
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000)
    onTestFinished(() => {
      vi.restoreAllMocks()
    })
    expect(await emailOf(session)).toBe(email)
  })

  test('is renewed by two tabs at once, and each of them goes on', async () => {
    const storage = sharedStorage()
    const { tokens, email } = await logIn()
    const [one, two] = [tab(storage), tab(storage)]
    one.start(tokens)
    expire(storage)
    expect(await Promise.all([emailOf(one), emailOf(two), emailOf(one)])).toEqual([email, email, email])
    expire(storage)
    expect(await emailOf(two)).toBe(email)
  })

  test('stays ended, where a refresh comes back after the log-out', async () => {
    const storage = sharedStorage()
    const { tokens } = await logIn()
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const slow: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (String(input).endsWith('/auth/refresh')) await held
      return response
    }
    const [one, two] = [tab(storage, { fetch: slow }), tab(storage)]
    one.start(tokens)
    expire(storage)
    const late = one.token()
    await two.end()
    letGo()
    expect(await late).toBeUndefined()
    expect(storage.items.size).toBe(0)
    expect([one.isLoggedIn, two.isLoggedIn]).toEqual([false, false])
  })

  test('ends in every tab, where the API has ended it', async () => {
    const storage = sharedStorage()
    const { tokens } = await logIn()
    const session = tab(storage)
    session.start(tokens)
    await createClient({ baseUrl: api.url, token: tokens.access_token }).auth.logout({ scope: 'all' })
    const heard: boolean[] = []
    tab(storage).onChange((isLoggedIn) => heard.push(isLoggedIn))
    expire(storage)
    expect(await session.token()).toBeUndefined()
    expect(session.isLoggedIn).toBe(false)
    await expect.poll(() => heard).toEqual([false])
  })

  test('is kept in memory where the browser forbids its storage', async () => {
    vi.stubGlobal('document', {})
    vi.stubGlobal('localStorage', {
      setItem: () => {
        throw new DOMException('forbidden', 'SecurityError')
      },
    })
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    const { tokens } = await logInWithoutBrowser()
    const session = new MemberSession({ baseUrl: api.url, key })
    open.push(session)
    session.start(tokens)
    expect(await session.token()).toBe(tokens.access_token)
  })
})

const logInWithoutBrowser = async () => ({
  tokens: {
    ...{ access_token: 'a', refresh_token: 'r', token_type: 'Bearer' as const },
    ...{ expires_in: 3600, expires_at: '2026-11-21T09:00:00.000Z' },
  },
})

test('a stream goes on after the last event when its connection breaks in the middle of one, and ends where it is refused', async () => {
  const event = (id: number) =>
    `id: ${id}\nevent: member.created\ndata: {"type":"member.created","data":{"number":${id}}}\n\n`
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(String(request.url))
    if (asked.length === 3) {
      response.writeHead(403, { 'content-type': 'application/json' })
      response.end('{"success":false,"error":"No","code":"INSUFFICIENT_PERMISSIONS"}')
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (asked.length === 2) return void response.end(`:\nid: 2\n\n${event(3)}`)
    response.write(`retry: 1000\nid: 0\n\n${event(1)}${event(2)}`)
    setTimeout(() => {
      response.write(event(3).slice(0, 30), () => response.destroy())
    }, 50)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const guildhall = createClient({ baseUrl, key: 'svc_sk_test_x', timeout: 2_000 })
  const seen: unknown[] = []
  const listen = async () => {
    for await (const { id, data } of streamEvents(guildhall, { topics: ['events', 'feedback'] }))
      seen.push([id, data])
  }
  await expect(listen()).rejects.toMatchObject({ code: 'INSUFFICIENT_PERMISSIONS' })
  expect(seen).toEqual([1, 2, 3].map((number) => [String(number), { number }]))
  expect(asked).toEqual([
    '/api/v1/stream?topics=events%2Cfeedback',
    '/api/v1/stream?topics=events%2Cfeedback&last_event_id=2',
    '/api/v1/stream?topics=events%2Cfeedback&last_event_id=3',
  ])
})
