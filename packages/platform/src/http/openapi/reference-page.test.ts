import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { withApi } from '#testkit/with-api.ts'

let api: TestApi

withApi((opened) => {
  api = opened
})

/** The status and headers of a page; its body is read to the end. */
async function visit(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(api.url + path, { headers })
  await response.text()
  return response
}

test('the reference page has the headers of a page, and JSON keeps its own', async () => {
  const page = await visit('/docs')
  expect(page.url).toBe(`${api.url}/docs/`)
  expect(page.headers.get('content-type')).toContain('text/html')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  const document = await visit('/openapi.json')
  expect(document.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
})

test('what is not part of the page is a 404, and a Host that is none a 400', async () => {
  expect((await visit('/docs/nothing')).status).toBe(404)
  const strange = await api.api.inject({ url: '/docs/', headers: { host: 'a b[' } })
  expect([strange.statusCode, strange.json().code]).toEqual([400, 'INVALID_PARAMETERS'])
})

describeWithBrowser('the reference page in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  test('shows every operation, asks no other host for anything and breaks none of its own policies', async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(30_000)
    const hosts = new Set<string>()
    const complaints: string[] = []
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })

    await page.goto(`${api.url}/docs`, { waitUntil: 'networkidle' })
    const { endpoints } = api.contract
    const tags = [...new Set(endpoints.flatMap(({ operation }) => operation.tags ?? []))]
    const sidebar = page.getByRole('complementary')
    // The first group is open from the start.
    for (const tag of tags.slice(1))
      await sidebar.getByRole('button', { name: `Open Group - ${tag}`, exact: true }).click()
    const missing = async () => {
      const shown = (await sidebar.locator('a').allTextContents()).join('\n')
      return endpoints.flatMap(({ operation: { summary = '' } }) =>
        shown.includes(summary) ? [] : [summary],
      )
    }
    await expect.poll(missing, { timeout: 30_000 }).toEqual([])
    await sidebar.getByRole('link', { name: 'Create a member' }).first().click()
    await page.getByRole('heading', { name: 'Create a member' }).first().waitFor()
    // What it may ask for when something is opened is asked for at once.
    await page.waitForTimeout(300)

    // What the page's icon is drawn from has no host.
    expect([...hosts].filter((host) => host !== '')).toEqual([new URL(api.url).host])
    expect(complaints).toEqual([])
  }, 180_000)
})
