import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeProjects, type Side } from '#testkit/factories.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { withOwnApi } from '#testkit/with-api.ts'

let api: TestApi
let side: Side
let port: number

// Calls of a page go to BASE_URL, which has to be where this API listens.
beforeAll(async () => {
  port = await freePort()
})
withOwnApi(
  () => ({ environment: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` } }),
  async (opened) => {
    api = opened
    const [one] = await makeProjects(api)
    side = one.test
  },
)

const OPERATION = '/docs/api/members/create-member'
const KINDS = [
  '/docs',
  '/docs/guides',
  '/docs/guides/receive-webhooks',
  '/docs/api',
  '/docs/api/members',
  OPERATION,
  '/docs/api/shop/check-out',
  '/docs/events',
  '/docs/events/member.created',
  '/docs/errors',
  '/docs/errors/EMAIL_TAKEN',
  '/docs/limits',
  '/docs/versions',
  '/docs/changelog',
]

describeWithBrowser('the documentation in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  /** A page, with what it complains about and the hosts that it asks. */
  async function open(width = 1280) {
    const page = await browser.newPage({ viewport: { width, height: 800 } })
    page.setDefaultTimeout(30_000)
    const complaints: string[] = []
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    return { page, complaints, hosts }
  }

  test('no kind of page is wider than its window, asks another host or breaks its own policy', async () => {
    for (const width of [390, 1280]) {
      const { page, complaints, hosts } = await open(width)
      for (const path of KINDS) {
        await page.goto(api.url + path)
        const tooWide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([path, width, tooWide]).toEqual([path, width, 0])
      }
      expect(complaints).toEqual([])
      expect([...hosts].filter((host) => host !== '')).toEqual([new URL(api.url).host])
      await page.close()
    }
  })

  test('finds operations, errors and events by the keyboard alone', async () => {
    const { page, complaints } = await open()
    await page.goto(`${api.url}/docs`)
    await find(page, 'create member')
    await page.waitForURL(`**${OPERATION}`)
    await find(page, 'EMAIL_TAKEN')
    await page.waitForURL('**/docs/errors/EMAIL_TAKEN')
    await find(page, 'member.created')
    await page.waitForURL('**/docs/events/member.created')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill('anything')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').isVisible()).toBe(false)
    expect(complaints).toEqual([])
    await page.close()
  })

  test('remembers the language of the samples for other pages', async () => {
    const { page } = await open()
    await page.goto(api.url + OPERATION)
    await page.getByRole('tab', { name: 'curl' }).focus()
    await page.keyboard.press('ArrowLeft')
    expect(await page.getByRole('tab', { name: 'Python' }).getAttribute('aria-selected')).toBe('true')
    await page.goto(`${api.url}/docs/api/plans/create-plan`)
    expect(await page.getByRole('tabpanel', { name: 'Python' }).isVisible()).toBe(true)
    expect(await page.getByRole('tabpanel', { name: 'curl' }).isVisible()).toBe(false)
    await page.close()
  })

  test('sends a call with a key that it keeps nowhere, and shows the answer', async () => {
    const { page, complaints } = await open()
    await page.goto(api.url + OPERATION)
    await page.getByRole('button', { name: 'Try it' }).click()
    const form = page.getByRole('form', { name: 'Try it' })
    await form.getByLabel('Secret key').fill(side.key)
    await form.getByLabel('Body').fill('{"email": "tried@example.com"}')
    await form.getByRole('button', { name: 'Send POST' }).click()
    await form.getByText('tried@example.com', { exact: false }).last().waitFor()
    expect(await form.locator('.status').textContent()).toContain('201')
    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(stored).not.toContain('svc_sk_')
    expect(complaints).toEqual([])
    await page.close()
  })

  test('nothing is lost that is typed while the search is loaded', async () => {
    const { page, complaints } = await open()
    const { promise: isTyped, resolve: go } = Promise.withResolvers<void>()
    await page.route('**/search.js*', async (route) => {
      await isTyped
      await route.continue()
    })
    await page.goto(`${api.url}/docs`)
    const asked = page.waitForRequest('**/search.js*')
    await page.keyboard.press('/')
    await asked
    await page.keyboard.type('refund')
    go()
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('refund')
    expect(complaints).toEqual([])
    await page.close()
  })
})

/** Opens the search, types, and takes what comes first. */
async function find(page: Page, words: string): Promise<void> {
  await page.keyboard.press('/')
  await page.getByRole('combobox', { name: 'Search' }).fill(words)
  await page.getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
}
