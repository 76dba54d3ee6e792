import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { SOON } from '#testkit/soon.ts'
import { createClient, type Guildhall } from '../../packages/sdk/src/guildhall.ts'

type Library = typeof import('../../packages/sdk/src/guildhall.ts')

const MIB = 1024 * 1024
/** The browser says every 100 ms how much was sent: to this machine 20 MiB may take less. */
const LINE = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 20 * MIB }
const PASSWORD = 'correct horse battery staple'
const ENTRY = fileURLToPath(new URL('../../packages/sdk/src/guildhall.ts', import.meta.url))

describeWithBrowser('the library in a browser', () => {
  let s3: TestS3
  let env: DeliveryEnvironment
  let site: Server
  let browser: Browser
  let page: Page
  let publicKey: string
  /** A server of the same project. */
  let guildhall: Guildhall

  beforeAll(async () => {
    s3 = await startS3()
    env = await startDeliveryEnvironment('postgres', { ...s3.environment })
    env.startWorker()
    guildhall = createClient({ baseUrl: env.api.url, key: env.one.key })
    publicKey = (await env.one.makeKey({ type: 'public' })).key
    site = await serveSite()
    browser = await startBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  })
  afterAll(async () => {
    await browser?.close()
    site?.close()
    await env?.close()
    await s3?.stop()
  })

  /** A site on another origin than the API: its page runs its own script and no other, its server passes calls on with a key. */
  async function serveSite(): Promise<Server> {
    const bundle = await rolldown({ input: ENTRY })
    const { output } = await bundle.generate({ minify: true })
    const policy = `default-src 'none'; script-src 'self'; connect-src 'self' ${env.api.url} ${s3.environment['S3_ENDPOINT']}`
    const server = createServer(async (request, response) => {
      if (request.url?.startsWith('/api/')) {
        const answer = await fetch(env.api.url + request.url, {
          method: String(request.method),
          headers: { authorization: `Bearer ${env.one.key}`, 'content-type': 'application/json' },
          body: await text(request),
        })
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        response.end(await answer.text())
        return
      }
      const isScript = request.url === '/guildhall.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.setHeader('content-security-policy', policy)
      response.end(isScript ? output[0].code : '<!doctype html><title>A site</title>')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  const place = () => ({ baseUrl: env.api.url, key: publicKey })

  test('logs a member in by a public key, acts as that member, and refuses a secret key with a sentence', async () => {
    await guildhall.members.create({ email: 'page@sdk.example', password: PASSWORD })
    const seen = await page.evaluate(
      async ({ baseUrl, key, password, secret }) => {
        const library = (await import(String('/guildhall.js'))) as Library
        const session = new library.MemberSession({ baseUrl, key })
        const open = library.createClient({ baseUrl, key })
        const answer = await open.auth.login({ email: 'page@sdk.example', password })
        if (answer.mfa_required) throw new Error('no second factor was set up')
        session.start(answer.session)
        const { email } = await library.createClient({ baseUrl, token: session.token }).user.profile.get()
        const refused = await open.members.list().catch((error: { code: string }) => error.code)
        await session.end()
        const refusals = await Promise.all(
          [{ key: secret }, { token: secret }, { token: () => secret }].map(async (credential) => {
            try {
              await library.createClient({ baseUrl, ...credential }).members.list()
              return 'accepted'
            } catch (error) {
              return String(error)
            }
          }),
        )
        return { email, refused, isLoggedIn: session.isLoggedIn, refusals }
      },
      { ...place(), password: PASSWORD, secret: env.one.key },
    )
    const refusal = expect.stringContaining('A secret key must not be in a browser')
    expect(seen).toEqual({
      email: 'page@sdk.example',
      refused: 'INSUFFICIENT_PERMISSIONS',
      isLoggedIn: false,
      refusals: [refusal, refusal, refusal],
    })
  })

  test('reads a stream by a ticket that works once, and goes on with a new one after the last event', async () => {
    const { id } = await guildhall.members.create({ email: 'ticket@sdk.example' })
    const newTicket = async () =>
      (await guildhall.stream.tickets.create({ topics: ['notifications'] }, { actingMember: id })).ticket
    const notify = (message: string) => guildhall.notifications.create({ member_ids: [id], text: message })
    /** Opens a stream in the page; its messages are in `heard` there. */
    const listen = (ticket: string, last = '') =>
      page.evaluate(
        async ({ address }) => {
          const source = new EventSource(address)
          const scope = globalThis as unknown as { heard: string[]; last: string; source: EventSource }
          scope.heard ??= []
          scope.source = source
          source.addEventListener('notification.created', ({ data, lastEventId }) => {
            scope.last = lastEventId
            scope.heard.push(JSON.parse(data).data.text)
          })
          return new Promise<string>((resolve) => {
            source.onopen = () => resolve('open')
            source.onerror = () => resolve('refused')
          })
        },
        { address: `${env.api.url}/api/v1/stream?ticket=${ticket}${last && `&last_event_id=${last}`}` },
      )
    const read = () =>
      page.evaluate(() => {
        const { heard, last } = globalThis as unknown as { heard: string[]; last: string }
        return { heard, last }
      })
    const ticket = await newTicket()
    expect(await listen(ticket)).toBe('open')
    await notify('one')
    await expect.poll(async () => (await read()).heard, SOON).toEqual(['one'])
    await page.evaluate(() => (globalThis as unknown as { source: EventSource }).source.close())
    await notify('two')
    expect(await listen(ticket)).toBe('refused')
    expect(await listen(await newTicket(), (await read()).last)).toBe('open')
    await notify('three')
    await expect.poll(async () => (await read()).heard, SOON).toEqual(['one', 'two', 'three'])
  })

  test('reads a stream as an async iterator with the token of a member', async () => {
    const { id } = await guildhall.members.create({ email: 'iterator@sdk.example', password: PASSWORD })
    const heard = page.evaluate(
      async ({ baseUrl, key, password }) => {
        const library = (await import(String('/guildhall.js'))) as Library
        const answer = await library
          .createClient({ baseUrl, key })
          .auth.login({ email: 'iterator@sdk.example', password })
        if (answer.mfa_required) throw new Error('no second factor was set up')
        const guildhall = library.createClient({ baseUrl, token: answer.session.access_token })
        for await (const { type } of library.streamEvents(guildhall, { topics: ['notifications'] }))
          return type
        return 'the stream ended'
      },
      { ...place(), password: PASSWORD },
    )
    // Until the page listens, nobody hears it.
    const timer = setInterval(() => {
      guildhall.notifications.create({ member_ids: [id], text: 'x' }).catch(() => {})
    }, 200)
    expect(await heard.finally(() => clearInterval(timer))).toBe('notification.created')
  })

  test('sends a large file past the API to the storage, and says in steps how much was sent', async () => {
    const { shares, size, hosts } = await upload(20 * MIB)
    expect(size).toBe(20 * MIB)
    expect(shares.at(0)).toBe(0)
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.some((share) => share > 0 && share < 1)).toBe(true)
    expect(hosts).toContain(new URL(String(s3.environment['S3_ENDPOINT'])).host)
  })

  test('an upload that is aborted ends with the reason, and stores nothing', async () => {
    const { failure, name } = await upload(20 * MIB, { abortAt: 0.1 })
    expect(failure).toBe('the page was left')
    const { data } = await guildhall.storage.files.list({ search: name })
    expect(data.filter(({ status }) => status === 'ready')).toEqual([])
  })

  let uploads = 0
  /** Uploads a file from the page, by calls that the server of the site passes on. */
  async function upload(size: number, { abortAt }: { abortAt?: number } = {}) {
    const name = `upload-${++uploads}.bin`
    const hosts: string[] = []
    const note = (request: { url(): string; method(): string }) => {
      if (request.method() === 'PUT') hosts.push(new URL(request.url()).host)
    }
    page.on('request', note)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.emulateNetworkConditions', LINE)
    const result = await page.evaluate(
      async ({ size, name, abortAt }) => {
        const library = (await import(String('/guildhall.js'))) as Library
        const guildhall = library.createClient({ baseUrl: location.origin })
        const controller = new AbortController()
        const shares: number[] = []
        const bytes = new Uint8Array(size).map((_, i) => i * 31)
        try {
          const stored = await library.uploadFile(guildhall, new Blob([bytes]), {
            name,
            signal: controller.signal,
            onProgress: (share) => {
              shares.push(share)
              if (abortAt !== null && share > abortAt) controller.abort(new Error('the page was left'))
            },
          })
          return { shares, size: stored.size, failure: '' }
        } catch (error) {
          return { shares, size: 0, failure: (error as Error).message }
        }
      },
      { size, name, abortAt: abortAt ?? null },
    )
    await devtools.detach()
    page.off('request', note)
    return { ...result, hosts, name }
  }
})
