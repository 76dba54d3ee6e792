/** `npm run bench -- console`: how soon the console shows a list of a large project on a slow machine, and how soon it answers. */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { createOperator, prepareOperator } from '#areas/auth/console/operators.ts'
import { createProject, tenantOf } from '#areas/projects/service.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import { Passwords } from '#platform/secrets/passwords.ts'
import { openOperator, type Place } from '../../apps/cli/src/operator.ts'
import { giveRole } from '../../apps/cli/src/operators.ts'
import { buildConsole } from '../console/build.ts'
import { findChromium } from '../find-program.ts'
import { freePort } from '../ports.ts'
import { StartError } from '../start-error.ts'
import { benchOf, memoize } from './cases.ts'
import { loadMembers } from './data.ts'
import { serveApi, vacuumAndCheckpoint } from './stage.ts'
import { median } from './table.ts'

/** The line and the processor of the throttled profile. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER = 4

const PAINT_MS = 2_500
const INTERACTION_MS = 200

const TIMEOUT_MS = 120_000

const EMAIL = 'bench@example.com'
const PASSWORD = 'a password of the bench'

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
    await page.getByLabel('Status').selectOption('pending')
    await page.getByRole('link', { name: 'member-3@example.com' }).waitFor()
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
    const { id, projectId } = await makeProject(place)
    await loadMembers(owner, [{ projectId, authorization: '' }], rows)
    await vacuumAndCheckpoint(stage)
    const port = await freePort()
    const { origin } = await serveApi(rig, 'api', { BASE_URL: `http://127.0.0.1:${port}` }, port)
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    rig.onClose(() => browser.close())
    const state = await logIn(browser, origin)
    const visited = memoize(() => visits(browser, `${origin}/console/${id}/live/members`, { rounds, state }))
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

/** A project, and an operator of it who has a password. */
async function makeProject(place: Place): Promise<{ id: string; projectId: string }> {
  const operator = openOperator(place)
  try {
    const { id } = await createProject(operator.operators, { name: 'Bench', tier: 'enterprise' })
    const operators = await operator.dataOf(OPERATORS_PROJECT)
    const prepared = await prepareOperator({ email: EMAIL, password: PASSWORD }, new Passwords())
    await operators.write((ctx) => createOperator(ctx, prepared))
    await giveRole(operator, EMAIL, id, 'owner')
    return { id, projectId: await tenantOf(operator.operators, id, 'live') }
  } finally {
    await operator.close()
  }
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>

async function logIn(browser: Browser, origin: string): Promise<State> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/console`)
  await page.getByLabel('Email address').fill(EMAIL)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByLabel('Password').press('Enter')
  await page.getByRole('navigation').first().waitFor()
  const state = await context.storageState()
  await context.close()
  return state
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
async function visits(
  browser: Browser,
  url: string,
  { rounds, state }: { rounds: number; state: State },
): Promise<Visit[]> {
  const found: Visit[] = []
  // The cookie of a session is another one after each use.
  let present = state
  for (let i = 0; i < rounds; i++) {
    const context = await browser.newContext({
      storageState: present,
      viewport: { width: 1280, height: 800 },
    })
    found.push(await visit(context, url))
    present = await context.storageState()
    await context.close()
  }
  return found
}

async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', LINE)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.addInitScript(OBSERVE)
  await page.goto(url, { waitUntil: 'commit' })
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
