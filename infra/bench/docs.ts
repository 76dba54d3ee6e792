/** `npm run bench -- docs`: how soon a page of the documentation shows its text on a slow phone, and what it loads. */
import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../find-program.ts'
import { StartError } from '../start-error.ts'
import { benchOf, inTurns, memoize } from './cases.ts'
import { serveApi } from './stage.ts'
import { median } from './table.ts'

/** The line and the processor of a slow phone, as Lighthouse has them. */
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER = 4

const GOAL_MS = 1_000
const GOAL_KB = 60

/** A page of each kind. */
const PAGES = [
  '/docs',
  '/docs/guides/receive-webhooks',
  '/docs/api',
  '/docs/api/members/create-member',
  '/docs/api/shop/check-out',
  '/docs/events/member.created',
  '/docs/errors/VALIDATION_ERROR',
  '/docs/limits',
]

/** On a machine without a Chromium, a StartError. */
export const benchDocs = benchOf({
  full: { rounds: 7 },
  quick: { rounds: 3 },
  async setUp({ rig }, { rounds }) {
    const executablePath = findChromium()
    if (executablePath === '') throw new StartError('bench docs needs a Chromium on this machine')
    const { origin } = await serveApi(rig)
    const first = await blockedBy(origin)
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
    rig.onClose(() => browser.close())
    const table = `The first text of a page, with an empty cache: a processor ${SLOWER} × slower, 1.6 Mbit/s, ${LINE.latency} ms`
    return [
      ...PAGES.flatMap((path) => {
        const viewed = memoize(async () =>
          (await inTurns(rounds, [() => view(browser, origin + path)])).flat(),
        )
        return [
          {
            ...{ table, name: path, unit: 'ms', atMost: GOAL_MS },
            measure: async () => median((await viewed()).map(({ paintMs }) => paintMs)),
          },
          {
            ...{ table, name: `  ${path}, loaded`, unit: 'kB', digits: 1, atMost: GOAL_KB },
            measure: async () => Math.max(...(await viewed()).map(({ bytes }) => bytes)) / 1_000,
          },
        ]
      }),
      { table, name: 'the first page of a process', unit: 'ms', measure: async () => first.pageMs },
      {
        ...{ table, name: '  the longest answer of /healthz meanwhile', unit: 'ms' },
        measure: async () => first.longestMs,
      },
    ]
  },
})

/** How long the first page takes, and others meanwhile: its process reads the API's document then. */
async function blockedBy(origin: string) {
  const begun = performance.now()
  let isLoading = true
  const loading = fetch(`${origin}/docs`)
    .then((answer) => answer.text())
    .finally(() => {
      isLoading = false
    })
  let longestMs = 0
  while (isLoading) {
    const asked = performance.now()
    await fetch(`${origin}/healthz`).then((answer) => answer.text())
    longestMs = Math.max(longestMs, performance.now() - asked)
  }
  await loading
  return { pageMs: performance.now() - begun, longestMs }
}

/** In the page: when its first text was painted. */
const FIRST_TEXT = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
  }).observe({ type: 'paint', buffered: true })
})`

/** Opens a page as a visitor who has never been there. */
async function view(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    let bytes = 0
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', LINE)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await page.goto(url, { waitUntil: 'networkidle' })
    const paintMs = await page.evaluate<number>(FIRST_TEXT)
    return { paintMs, bytes }
  } finally {
    await context.close()
  }
}
