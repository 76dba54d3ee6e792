import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { fillDemo } from '../../apps/cli/src/demo/fill.ts'
import { CREATED, mark } from '../../apps/cli/src/demo/marks.ts'
import { makeDemoPlace } from '../../apps/cli/src/demo/place.ts'
import { axeFaults } from '../elements/demo-rig.ts'
import { withConsole } from './rig.ts'

// Every screen, by the router's own list, on a small share of the demo data. What a screen is about is found by the links of others.

const SHARE = 0.06
/** Milliseconds in which a screen has to be there. */
const TIME_MS = 15_000

let s3: TestS3
const rig = withConsole(
  async ({ api, one }) => {
    const config = { ...api.config, ALLOW_PRIVATE_NETWORKS: ['127.0.0.0/8'] }
    const place = makeDemoPlace(one.test, config, { share: SHARE, receiverUrl: 'http://127.0.0.1:65430' })
    await one.test.write((ctx) => mark(ctx, CREATED, one.project.id))
    await fillDemo(place, one.project.id)
    place.objects.close()
    // The request log has something to show.
    await one.test.admin.get('/members')
  },
  {
    environment: async () => {
      s3 = await startS3()
      return s3.environment
    },
  },
)
afterAll(() => s3.close())

const SIDE = '/$project/$side'

/** The screens of a side of a project, as the router lists them. */
const patternsOf = async (page: Page): Promise<string[]> =>
  ((await page.evaluate('Object.keys(window.__TSR_ROUTER__.routesByPath)')) as readonly string[])
    .filter((path) => path.startsWith(`${SIDE}/`))
    .map((path) => path.slice(SIDE.length + 1))

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
const matcherOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('/')
      .map((step) => (step.startsWith('$') ? '[^/]+' : escaped(step)))
      .join('/')}$`,
  )

/**
 * Goes through all screens. A screen of one thing is opened by a link that another screen has to it.
 * @param look is called with each screen once it is there
 * @returns the screens to which no link leads
 */
async function walk(page: Page, look: (pattern: string) => Promise<void>): Promise<string[]> {
  const patterns = await patternsOf(page)
  const fixed = patterns.filter((pattern) => !pattern.includes('$'))
  const left = new Map(
    patterns.filter((pattern) => pattern.includes('$')).map((each) => [each, matcherOf(each)]),
  )
  const queue = fixed.map((path) => ({ pattern: path, path }))
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    await goTo(page, next.path)
    await look(next.pattern)
    for (const link of await linksOf(page)) {
      if (fixed.includes(link)) continue
      for (const [pattern, matcher] of left) {
        if (!matcher.test(link)) continue
        left.delete(pattern)
        queue.push({ pattern, path: link })
      }
    }
  }
  return [...left.keys()]
}

/** Opens a screen without loading the application anew. */
async function goTo(page: Page, path: string): Promise<void> {
  const to = `/${rig.one.project.id}/test/${path}`
  await page.evaluate(`window.__TSR_ROUTER__.navigate({ href: ${JSON.stringify(`/console${to}`)} })`)
  await expect
    .poll(
      () =>
        page.evaluate(`(() => {
          const main = document.querySelector('main')
          const isThere = location.pathname === ${JSON.stringify(`/console${to}`)} && main?.querySelector('h1')
          return isThere ? !/(?:Loading|Löâdîñg) …/.test(main.innerText) : false
        })()`),
      { timeout: TIME_MS, interval: 30, message: path },
    )
    .toBe(true)
}

/** The screens of the same side to which the present one leads. */
const linksOf = async (page: Page): Promise<string[]> =>
  (await page.evaluate(`[...document.querySelectorAll('main a[href]')].flatMap(({ href }) => {
    const { pathname, origin } = new URL(href)
    const start = '/console/${rig.one.project.id}/test/'
    return origin === location.origin && pathname.startsWith(start) ? [pathname.slice(start.length)] : []
  })`)) as string[]

const widerThanWindow = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - innerWidth')

/** Names of controls and columns that did not go through `t`, as the pseudo-locale marks them. What is in a `bdi` is data. */
const UNMARKED = `[...document.querySelectorAll('main :is(h2, th, label, legend, button, [role=tab])')]
  .map((element) => {
    const copy = element.cloneNode(true)
    for (const data of copy.querySelectorAll('bdi')) data.remove()
    return copy.textContent.trim()
  })
  .filter((text) => /[a-zA-Z]{3}/.test(text) && !text.includes('⟦'))`

describeWithBrowser('every screen', () => {
  test('opens without a complaint, with no fault that axe finds, and is not wider than a telephone', async () => {
    const { page, complaints, close } = await rig.openAt('members', { width: 390, who: rig.owner })
    const faults: string[] = []
    const began = performance.now()
    const seen: string[] = []
    const unreached = await walk(page, async (pattern) => {
      seen.push(pattern)
      const wider = await widerThanWindow(page)
      if (wider !== 0) faults.push(`${pattern}: ${wider} px wider than the window`)
      faults.push(...(await axeFaults(page)).map((fault) => `${pattern}: ${fault}`))
      faults.push(...complaints.splice(0).map((complaint) => `${pattern}: ${complaint}`))
    })
    console.log(`${seen.length} screens in ${Math.round((performance.now() - began) / 1_000)} s`)
    expect(faults).toEqual([])
    expect(unreached).toEqual([])
    await close()
  })

  test('holds longer texts from right to left, and each of its names goes through the dictionary', async () => {
    const { page, close } = await rig.openAt('members', { width: 390, who: rig.owner })
    await page.evaluate("localStorage.setItem('console-language', 'pseudo')")
    await page.reload()
    await page.locator('main h1').waitFor()
    const faults: string[] = []
    await walk(page, async (pattern) => {
      const wider = await widerThanWindow(page)
      if (wider !== 0) faults.push(`${pattern}: ${wider} px wider than the window`)
      const unmarked = (await page.evaluate(UNMARKED)) as string[]
      faults.push(...unmarked.map((text) => `${pattern}: “${text}” is not translated`))
    })
    expect(faults).toEqual([])
    await close()
  })
})
