/** `npm run bench -- console`: how soon the console shows a list of a large project on a slow machine, and how soon it answers. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { buildConsole } from '../console/build.ts'
import { findChromium } from '../find-program.ts'
import { freePort } from '../ports.ts'
import { StartError } from '../start-error.ts'
import { benchOf, memoize } from './cases.ts'
import { loadMembers } from './data.ts'
import { EMAIL, makeOperatedProject, PASSWORD } from './operator-project.ts'
import { serveApi, vacuumAndCheckpoint } from './stage.ts'
import { median } from './table.ts'

/** The line and the processor of the throttled profile. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER = 4

const PAINT_MS = 2_500
const INTERACTION_MS = 200

const TIMEOUT_MS = 60_000

/** What somebody does with a list, and how it is seen that it is done. */
const ACTS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  'the next page': async (page) => {
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText(/^Page 2/).waitFor()
  },
  'another order': async (page) => {
    await page.getByRole('button', { name: 'Created' }).click()
    await page.getByRole('link', { name: 'member-1@example.com' }).waitFor()
  },
  'a filter': async (page) => {
    // By a key: what a script selects is no interaction for the browser.
    await page.getByLabel('Status').press('p')
    await page.getByRole('link', { name: 'member-3@example.com' }).waitFor()
  },
  'a search': async (page) => {
    await page.getByLabel('Search members').pressSequentially('member-3@', { delay: 30 })
    await page.getByRole('link', { name: 'member-7@example.com' }).waitFor({ state: 'detached' })
  },
  'the command palette': async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  },
  'a member': async (page) => {
    await page.getByRole('link', { name: 'member-3@example.com' }).click()
    await page.getByRole('heading', { name: 'Member 3', exact: true }).waitFor()
  },
}

/** On a machine without a Chromium, a StartError. */
export const benchConsole = benchOf({
  full: { rounds: 7, rows: 100_000 },
  quick: { rounds: 2, rows: 10_000 },
  async setUp(stage, { rounds, rows }) {
    const { rig, owner, place } = stage
    const executablePath = findChromium()
    if (executablePath === '') throw new StartError('bench console needs a Chromium on this machine')
    await buildConsole()
    const { id, projectId } = await makeOperatedProject(place)
    await loadMembers(owner, [{ projectId, authorization: '' }], rows)
    await vacuumAndCheckpoint(stage)
    const port = await freePort()
    const { origin } = await serveApi(rig, 'api', { BASE_URL: `http://127.0.0.1:${port}` }, port)
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    rig.onClose(() => browser.close())
    const visited = memoize(() => visits(browser, origin, `/console/${id}/live/members`, rounds))
    const slow = `a processor ${SLOWER} × slower, 1.6 Mbit/s, ${LINE.latency} ms`
    const first = `The list of ${rows.toLocaleString('en')} members, with an empty cache: ${slow}`
    const then = `What is done with the list: ${slow}`
    return [
      {
        ...{ table: first, name: 'largest paint', unit: 'ms', atMost: PAINT_MS },
        measure: async () => median((await visited()).map(({ paintMs }) => paintMs)),
      },
      ...Object.keys(ACTS).flatMap((name) => [
        {
          ...{ table: then, name: `${name}: the interaction`, unit: 'ms', atMost: INTERACTION_MS },
          measure: async () => median((await visited()).map(({ acts }) => acts[name]?.interactionMs ?? 0)),
        },
        {
          ...{ table: then, name: '  until it is there', unit: 'ms' },
          measure: async () => median((await visited()).map(({ acts }) => acts[name]?.thereMs ?? 0)),
        },
      ]),
    ]
  },
})

/** Logs in at full speed, as long as nothing is measured. */
async function logIn(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/console`)
  await page.getByLabel('Email address').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor()
}

/** Writes down the largest paint and the longest interaction. */
const OBSERVE = `
  window.largestPaint = 0
  window.longestEvent = 0
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) window.largestPaint = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestEvent = Math.max(window.longestEvent, duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`

/** Observers are told of an event some time after it. */
const SETTLED = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 500)))'

interface Visit {
  readonly paintMs: number
  readonly acts: Readonly<Record<string, { readonly interactionMs: number; readonly thereMs: number }>>
}

/** Opens the list so many times, each with an empty cache, and does everything with it once. */
async function visits(browser: Browser, origin: string, path: string, rounds: number): Promise<Visit[]> {
  const found: Visit[] = []
  for (let i = 0; i < rounds; i++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    found.push(await visit(context, origin, path))
    await context.close()
  }
  return found
}

async function visit(context: BrowserContext, origin: string, path: string): Promise<Visit> {
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const devtools = await context.newCDPSession(page)
  await logIn(page, origin)
  await devtools.send('Network.enable')
  await devtools.send('Network.clearBrowserCache')
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript(OBSERVE)
  await page.goto(`${origin}${path}`, { waitUntil: 'commit' })
  await page.getByRole('table').waitFor()
  await page.evaluate(SETTLED)
  const paintMs = await page.evaluate<number>('window.largestPaint')
  const acts: Record<string, { interactionMs: number; thereMs: number }> = {}
  for (const [name, act] of Object.entries(ACTS)) {
    await page.evaluate('window.longestEvent = 0')
    const begun = performance.now()
    await act(page)
    const thereMs = performance.now() - begun
    await page.evaluate(SETTLED)
    acts[name] = { interactionMs: await page.evaluate<number>('window.longestEvent'), thereMs }
  }
  return { paintMs, acts }
}
