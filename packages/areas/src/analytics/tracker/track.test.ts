import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedApi, type TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { httpReceiver, type Receiver } from '#testkit/servers/receiver.ts'
import { SOON } from '#testkit/soon.ts'
import { readTracker } from './page-routes.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'

interface Stored {
  type: string
  event: string | null
  page: string | null
  host: string | null
  title: string | null
  referrer: string | null
  source: string
  browser: string | null
  bot: boolean
  properties: Record<string, unknown>
}

let api: TestApi
let side: Side
let key: string

beforeAll(async () => {
  api = await sharedApi()
  side = (await makeProjects(api))[0].live
  key = (await side.makeKey({ type: 'public', capabilities: ['track'] })).key
})
afterAll(() => api.close())

/** What was stored, the oldest first. */
const stored = async () =>
  (await side.admin.get<{ data: Stored[] }>('/analytics/events?bots=include&limit=100')).body.data.reverse()

describe('/track.js', () => {
  test('is a script of less than 2 kB that any site may load, and that is asked for again only when it changed', async () => {
    const { status, headers, body } = await api.fetch<string>('GET', '/track.js')
    expect({ status, type: headers['content-type'], body }).toEqual({
      status: 200,
      type: 'text/javascript; charset=utf-8',
      body: readTracker(),
    })
    expect(gzipSync(readTracker()).length).toBeLessThan(2_000)
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    const again = await fetch(`${api.url}/track.js`, { headers: { 'if-none-match': headers['etag'] ?? '' } })
    expect(again.status).toBe(304)
  })

  test('keeps nothing in the browser', () => {
    expect(readTracker()).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB/i)
  })
})

describeWithBrowser('on a page of another origin with a strict policy', () => {
  let browser: Browser
  let site: Receiver
  let attributes = ''
  const policy = () =>
    `default-src 'none'; script-src ${api.url}; connect-src ${api.url}; base-uri 'none'; form-action 'none'`

  beforeAll(async () => {
    browser = await startBrowser()
    site = await httpReceiver((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('content-security-policy', policy())
      response.end(`<!doctype html><html lang="en"><title>Shop</title>
        <script defer src="${api.url}/track.js" data-key="${key}"${attributes}></script>
        <a id="out" href="https://elsewhere.example/there?token=secret#part">There</a><a id="in" href="/inside">Here</a></html>`)
    })
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  /** Opens the site in a browser of a person. */
  async function open(path: string, headers: Record<string, string> = {}): Promise<Page> {
    const context = await browser.newContext({ userAgent: CHROME, extraHTTPHeaders: headers })
    await context.route('https://elsewhere.example/**', (route) => route.fulfill({ body: 'there' }))
    const page = await context.newPage()
    page.on('console', (message) => expect(message.text()).not.toContain('Content Security Policy'))
    await page.goto(`http://localhost:${site.port}${path}`)
    return page
  }

  test('it tracks page views, those of pages that change by themselves, events, and links that lead away', async () => {
    const page = await open('/first?utm_source=news#top')
    await expect.poll(stored).toHaveLength(1)
    await page.evaluate(() => {
      history.pushState(null, '', '/second')
      // As frameworks do it: the title comes after the address.
      setTimeout(() => {
        document.title = 'Second'
      }, 5)
    })
    await expect.poll(stored).toHaveLength(2)
    // A page that replaces its address is still the same page.
    await page.evaluate(() => history.replaceState(null, '', '/second?step=2'))
    await page.evaluate(() => {
      const { guildhall } = window as unknown as { guildhall: { track(event: string, data: object): void } }
      guildhall.track('signup', { plan: 'supporter' })
    })
    await expect.poll(stored).toHaveLength(3)
    await page.goBack()
    await expect.poll(stored).toHaveLength(4)
    await page.click('#out')
    await expect.poll(stored).toHaveLength(5)
    expect(await stored()).toMatchObject([
      {
        type: 'pageview',
        page: '/first',
        title: 'Shop',
        host: 'localhost',
        source: 'news',
        browser: 'Chrome',
      },
      { type: 'pageview', page: '/second', title: 'Second', referrer: null, bot: false },
      { type: 'event', event: 'signup', page: '/second', properties: { plan: 'supporter' } },
      { type: 'pageview', page: '/first' },
      { type: 'event', event: 'outbound_link', properties: { url: 'https://elsewhere.example/there' } },
    ])
    const { body } = await side.admin.get<{ data: object }>('/analytics/stats')
    expect(body.data).toMatchObject({ visitors: 1, visits: 1, pageviews: 3, events: 2, bounce_rate: 0 })
    expect(await page.context().cookies()).toEqual([])
    await page.context().close()
  })

  test('a page that comes back out of the cache of the browser is viewed again', async () => {
    const before = (await stored()).length
    const page = await open('/cached')
    await expect.poll(stored).toHaveLength(before + 1)
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await expect.poll(stored).toHaveLength(before + 2)
    expect((await stored()).slice(-2).map((view) => view.page)).toEqual(['/cached', '/cached'])
    await page.context().close()
  })

  test('nothing is kept of who asks not to be tracked, where the project heeds it', async () => {
    const before = (await stored()).length
    const { key: other } = await side.makeKey({ type: 'public', capabilities: ['track'] })
    await api.owner.query('update projects set respect_do_not_track = true where id = $1', [side.projectId])
    const send = (headers: Record<string, string>) =>
      side
        .as(other)
        .post('/analytics/track', { event: 'asked' }, { headers: { 'user-agent': CHROME, ...headers } })
    // Settings are followed within seconds.
    await expect
      .poll(
        async () => {
          const count = (await stored()).length
          await send({ dnt: '1' })
          return (await stored()).length - count
        },
        { ...SOON, interval: 500 },
      )
      .toBe(0)
    const count = (await stored()).length
    expect((await send({ 'sec-gpc': '1' })).body).toEqual({ success: true })
    expect(await stored()).toHaveLength(count)
    expect((await send({})).status).toBe(200)
    expect(await stored()).toHaveLength(count + 1)
    expect(count).toBeGreaterThanOrEqual(before)
  })

  test('with data-dnt nothing is even sent', async () => {
    attributes = ' data-dnt'
    const count = (await stored()).length
    const context = await browser.newContext({ userAgent: CHROME })
    await context.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { value: '1' }))
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`http://localhost:${site.port}/silent`)
    await page.evaluate(() => history.pushState(null, '', '/still'))
    expect(asked).toEqual(['/silent', '/track.js'])
    expect(await stored()).toHaveLength(count)
    await context.close()
  })
})
