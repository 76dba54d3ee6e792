import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import type { Side } from '#testkit/factories.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import type { Receiver } from '#testkit/servers/receiver.ts'
import { SOON } from '#testkit/soon.ts'
import { withNewProjects } from '#testkit/with-api.ts'
import { updateAnalyticsSettings } from '../settings.ts'
import { readTracker } from './page-routes.ts'
import { BLOCKED, type Guildhall, type Stored, startSite } from './track.fixture.ts'

declare const guildhall: Guildhall

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36'

let api: TestApi
let side: Side
let key: string

// A project for each test: it finds none of another one's events.
withNewProjects(async (opened, one) => {
  api = opened
  side = one.live
  key = (await side.makeKey({ type: 'public', capabilities: ['track'] })).key
})

/** What was stored, the oldest first. */
const stored = async () =>
  (await side.admin.get<{ data: Stored[] }>('/analytics/events?bots=include&limit=100')).body.data.reverse()
/** The page of each page view, and the name of each event. */
const seen = async () => (await stored()).map(({ event, page }) => event ?? page)

describe('/t.js', () => {
  test('is a script of about 2 kB that any site may load, and that is asked for again only when it changed', async () => {
    for (const path of ['/t.js', '/track.js']) {
      const { status, headers, body } = await api.fetch<string>('GET', path)
      expect({ status, type: headers['content-type'], body }).toEqual({
        status: 200,
        type: 'text/javascript; charset=utf-8',
        body: readTracker(),
      })
      expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
      const again = await fetch(api.url + path, { headers: { 'if-none-match': headers['etag'] ?? '' } })
      expect(again.status).toBe(304)
    }
    expect(gzipSync(readTracker()).length).toBeLessThan(2_300)
  })

  test('keeps nothing in the browser', () => {
    expect(readTracker()).not.toMatch(/cookie|localStorage|sessionStorage|indexedDB/i)
  })
})

describeWithBrowser('on a page of another origin with a strict policy', () => {
  let browser: Browser
  let site: Receiver
  let attributes: string
  let src: string
  const policy = () =>
    `default-src 'none'; script-src 'self' ${api.url}; connect-src 'self' ${api.url}; base-uri 'none'; form-action 'none'`

  beforeAll(async () => {
    browser = await startBrowser({ backForwardCache: true, userAgent: CHROME })
    site = await startSite(() => ({ api: api.url, policy: policy(), script: { src, key, attributes } }))
  })
  beforeEach(() => {
    attributes = ''
    src = `${api.url}/t.js`
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  const go = (page: Page, path: string) => page.goto(`http://localhost:${site.port}${path}`)
  /** Opens the site in a browser of a person. */
  async function open(path: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
    const context = await browser.newContext()
    const page = await context.newPage()
    page.on('console', (message) => expect(message.text()).not.toContain('Content Security Policy'))
    await prepare?.(page)
    await go(page, path)
    return page
  }

  test('it tracks page views, those of pages that change by themselves, events, and links that lead away', async () => {
    const page = await open('/first?utm_source=news#top')
    await expect.poll(stored, SOON).toHaveLength(1)
    await page.evaluate(() => {
      history.pushState(null, '', '/second')
      // As frameworks do it: the title comes after the address.
      setTimeout(() => {
        document.title = 'Second'
      }, 5)
    })
    await expect.poll(stored, SOON).toHaveLength(2)
    // A page that replaces its address is still the same page.
    await page.evaluate(() => history.replaceState(null, '', '/second?step=2'))
    await page.evaluate(() => guildhall.track('signup', { plan: 'supporter' }))
    await expect.poll(stored, SOON).toHaveLength(3)
    await page.goBack()
    await expect.poll(stored, SOON).toHaveLength(4)
    // Neither opens it.
    await page.click('#out', { button: 'right' })
    await page.click('#out')
    await expect.poll(stored, SOON).toHaveLength(5)
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
      { type: 'event', event: 'outbound_link', properties: { url: `http://127.0.0.1:${site.port}/there` } },
    ])
    const { body } = await side.admin.get<{ data: object }>('/analytics/stats')
    expect(body.data).toMatchObject({ visitors: 1, visits: 1, pageviews: 3, events: 2, bounce_rate: 0 })
    expect(await page.context().cookies()).toEqual([])
    await page.context().close()
  })

  test('a page view has the title that its page has in the end, and what happens meanwhile comes after it', async () => {
    const page = await open('/one')
    await expect.poll(stored, SOON).toHaveLength(1)
    await page.evaluate(() => {
      const later = (ms: number, title: string) => setTimeout(() => Object.assign(document, { title }), ms)
      history.pushState(null, '', '/two')
      guildhall.track('asked')
      later(100, 'Loading')
      later(250, 'Two')
    })
    await expect.poll(stored, SOON).toHaveLength(3)
    // A title that stays as it was is the page's own, and one that never rests is taken as it is.
    await page.evaluate(() => history.pushState(null, '', '/three'))
    await expect.poll(stored, SOON).toHaveLength(4)
    await page.evaluate(() => {
      history.pushState(null, '', '/four')
      let turn = 0
      setInterval(() => Object.assign(document, { title: `Four ${++turn % 2}` }), 60)
    })
    await expect.poll(stored, SOON).toHaveLength(5)
    // Who leaves before there is a title leaves with the view.
    await page.evaluate(() => history.pushState(null, '', '/five'))
    await go(page, '/there')
    await expect.poll(stored, SOON).toHaveLength(6)
    expect((await stored()).map(({ page: path, event, title }) => [event ?? path, title])).toEqual([
      ['/one', 'Shop'],
      ['/two', 'Two'],
      ['asked', null],
      ['/three', 'Two'],
      ['/four', expect.stringMatching(/^Four \d$/)],
      ['/five', expect.any(String)],
    ])
    await page.context().close()
  })

  test('an address that is replaced is a page view where its path is another, and none within a path', async () => {
    const page = await open('/')
    await expect.poll(seen, SOON).toHaveLength(1)
    await page.evaluate(() => {
      history.replaceState(null, '', '/home')
      history.replaceState(null, '', '/home?tab=2')
      history.replaceState(null, '', '/home?tab=2#part')
      history.replaceState(null, '', '/home#/settings')
      guildhall.track('end')
    })
    await expect.poll(seen, SOON).toEqual(['/', '/home', '/home/settings', 'end'])
    await page.context().close()
  })

  test('a hash that is a path is a page, and a hash that is a place on the page is none', async () => {
    const page = await open('/app/#/')
    for (const hash of ['#/settings?tab=2', '#!/members/7', '#part', '#/settings'])
      await page.evaluate((to) => {
        location.hash = to
      }, hash)
    await page.evaluate(() => guildhall.track('end'))
    await expect
      .poll(seen, SOON)
      .toEqual(['/app', '/app/settings', '/app/members/7', '/app', '/app/settings', 'end'])
    await page.context().close()
  })

  test('a page that comes back out of the cache of the browser is viewed again', async () => {
    const page = await open('/cached')
    await page.evaluate(() => {
      Object.assign(window, { isTheSame: true })
    })
    await go(page, '/next')
    await page.evaluate(() => history.back())
    await expect.poll(seen, SOON).toEqual(['/cached', '/next', '/cached'])
    expect(await page.evaluate(() => 'isTheSame' in window)).toBe(true)
    await page.context().close()
  })

  test('an event of the moment in which the page is left arrives', async () => {
    const page = await open('/left')
    await expect.poll(seen, SOON).toEqual(['/left'])
    await page.evaluate(() => {
      guildhall.track('last')
      location.href = '/after'
    })
    await expect.poll(seen, SOON).toEqual(['/left', 'last', '/after'])
    await page.context().close()
  })

  test('a browser that ends its requests with the page sends the last event as a beacon', async () => {
    const page = await open('/left', (fresh) =>
      fresh.addInitScript(`delete Request.prototype.keepalive
        addEventListener('pagehide', () => { fetch = () => Promise.reject(new Error('the page is gone')) })`),
    )
    await expect.poll(seen, SOON).toEqual(['/left'])
    await page.evaluate(() => {
      guildhall.track('last')
      location.href = '/after'
    })
    await expect.poll(seen, SOON).toEqual(['/left', 'last', '/after'])
    await page.context().close()
  })

  test('the time for which a page was seen is sent when it is left, from ten seconds on', async () => {
    const page = await open('/read', (fresh) => fresh.clock.install())
    await page.clock.runFor(4_000)
    await page.evaluate(() => history.pushState(null, '', '/glanced'))
    await page.clock.runFor(9_000)
    await page.evaluate(() => history.pushState(null, '', '/studied'))
    await page.clock.runFor(30_000)
    await go(page, '/after')
    await page.clock.runFor(100)
    await expect
      .poll(async () => (await seen()).sort(), SOON)
      .toEqual(['/after', '/glanced', '/read', '/studied', 'engagement'])
    const told = (await stored()).find(({ event }) => event !== null)
    expect(told).toMatchObject({ page: '/studied', properties: { seconds: 30 } })
    await page.context().close()
  })

  test('blockers with a list of general rules block today’s addresses and beacons, and not the script and its events', async () => {
    const refused: string[] = []
    const page = await open('/blocked', async (fresh) => {
      // As the rule `$ping,third-party` says.
      await fresh.addInitScript('navigator.sendBeacon = () => true')
      const devtools = await fresh.context().newCDPSession(fresh)
      await devtools.send('Network.enable')
      await devtools.send('Network.setBlockedURLs', { urls: BLOCKED.map((rule) => `*${rule}*`) })
      fresh.on('requestfailed', (asked) => refused.push(new URL(asked.url()).pathname))
    })
    await page.evaluate((base) => fetch(`${base}/api/v1/analytics/pageview`).catch(() => {}), api.url)
    await page.evaluate(() => guildhall.track('last'))
    await expect.poll(seen, SOON).toEqual(['/blocked', 'last'])
    expect(refused).toEqual(['/api/v1/analytics/pageview'])
    await page.context().close()
  })

  test('both are served below a path of the site by its own proxy', async () => {
    src = '/stats/t.js'
    const asked: string[] = []
    const page = await open('/own', async (fresh) => {
      fresh.on('request', (each) => asked.push(new URL(each.url()).pathname))
    })
    await expect.poll(seen, SOON).toEqual(['/own'])
    expect(asked).toEqual(['/own', '/stats/t.js', '/stats/t/e'])
    await page.context().close()
  })

  test('events of a time without network are sent when it is back, once, with their own time', async () => {
    const page = await open('/offline')
    await expect.poll(seen, SOON).toEqual(['/offline'])
    await page.context().setOffline(true)
    const failed = page.waitForEvent('requestfailed')
    await page.evaluate(() => guildhall.track('far out'))
    await failed
    const reconnected = Date.now()
    await page.evaluate(() => guildhall.track('later'))
    await page.context().setOffline(false)
    await expect.poll(seen, SOON).toEqual(['/offline', 'far out', 'later'])
    expect(Date.parse((await stored())[1]?.timestamp ?? '')).toBeLessThanOrEqual(reconnected)
    await page.context().close()
  })

  test('events that are refused for a moment are sent again after it, once', async () => {
    const statuses = [429, 503]
    const asked: number[] = []
    const page = await open('/often', (fresh) =>
      fresh.route('**/t/e', (route) => {
        asked.push(Date.now())
        const status = statuses.shift()
        if (status === undefined) return route.fallback()
        const headers = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'Retry-After' }
        return route.fulfill({ status, headers: { ...headers, 'retry-after': '2' } })
      }),
    )
    await expect.poll(seen, SOON).toEqual(['/often'])
    const [first = 0, second = 0, third = 0] = asked
    // It waits for as long as the answer says.
    expect(second - first).toBeGreaterThanOrEqual(1_900)
    expect(third - second).toBeGreaterThanOrEqual(1_900)
    await page.context().close()
  })

  test('an event that does not fit is refused without those beside it', async () => {
    const page = await open('/fits')
    await page.evaluate(() => {
      guildhall.track('x'.repeat(200))
      guildhall.track('fits')
    })
    await expect.poll(seen, SOON).toEqual(['/fits', 'fits'])
    await page.context().close()
  })

  test('a clock that is wrong changes no time of an event', async () => {
    const page = await open('/wrong', (fresh) => fresh.clock.setSystemTime('2020-02-29T12:00:00Z'))
    await expect.poll(seen, SOON).toEqual(['/wrong'])
    expect(Math.abs(Date.parse((await stored())[0]?.timestamp ?? '') - Date.now())).toBeLessThan(600_000)
    await page.context().close()
  })

  test('events are of the member whose token was given, until it has ended or is taken back', async () => {
    const { id } = await side.makeMember()
    const { token } = await side.signIn(id)
    const page = await open('/known', (fresh) =>
      fresh.addInitScript((early) => {
        Object.assign(window, { guildhall: { q: [['early']], token: early } })
      }, token),
    )
    await expect.poll(seen, SOON).toEqual(['/known', 'early'])
    await page.evaluate(() => {
      guildhall.identify()
      guildhall.track('gone')
    })
    await expect.poll(seen, SOON).toEqual(['/known', 'early', 'gone'])
    await page.evaluate((ended) => {
      guildhall.identify(`${ended}x`)
      guildhall.track('ended')
    }, token)
    await expect.poll(seen, SOON).toEqual(['/known', 'early', 'gone', 'ended'])
    expect((await stored()).map(({ user_id }) => user_id)).toEqual([id, id, null, null])
    await page.context().close()
  })

  test('with data-dnt nothing is even sent', async () => {
    attributes = ' data-dnt'
    const asked: string[] = []
    const page = await open('/silent', async (fresh) => {
      await fresh.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { value: '1' }))
      fresh.on('request', (request) => asked.push(new URL(request.url()).pathname))
    })
    await page.evaluate(() => history.pushState(null, '', '/still'))
    await page.evaluate(() => guildhall.track('quiet'))
    expect(asked).toEqual(['/silent', '/t.js'])
    expect(await stored()).toEqual([])
    await page.context().close()
  })
})

test('nothing is kept of who asks not to be tracked, where the project heeds it', async () => {
  await side.write((ctx) => updateAnalyticsSettings(ctx, { respectDoNotTrack: true }))
  const send = (headers: Record<string, string>) =>
    side
      .as(key)
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
})
