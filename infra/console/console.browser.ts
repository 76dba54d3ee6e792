import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestApi } from '#testkit/api.ts'
import { makeOperator, PASSWORD, setRole, type TestOperator } from '#testkit/areas/console.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { axeFaults, complaintsOf } from '../elements/demo-rig.ts'

const CONSOLE = fileURLToPath(new URL('../../apps/console/', import.meta.url))
/** Bytes of the first load, compressed, styles included. */
const MOST_BYTES = 170 * 1024

let api: TestApi
let one: TestProject
let other: TestProject
let operator: TestOperator
let port: number

// The console's own origin is BASE_URL, which has to be where this API listens.
beforeAll(async () => {
  port = await freePort()
})
withOwnApi(
  () => ({ environment: { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` } }),
  async (opened) => {
    api = opened
    ;[one, other] = await makeProjects(api)
    operator = await makeOperator(api)
    await setRole(api, one.live.projectId, operator.id, 'admin')
    for (let i = 0; i < 45; i++)
      await one.test.makeMember({
        email: `guest${String(i).padStart(2, '0')}@example.com`,
        full_name: `Guest ${i}`,
      })
    await one.test.makeMember({
      email: 'html@example.com',
      full_name: `<img src=x onerror=alert(1)> ${'ü'.repeat(80)}`,
    })
  },
)

describeWithBrowser('the console', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())

  async function open({ width = 1280, scheme = 'light' as 'light' | 'dark', locale = 'en-US' } = {}) {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme: scheme,
      locale,
    })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    const complaints = complaintsOf(page)
    await page.goto(`${api.url}/console`)
    return { page, complaints, close: () => context.close() }
  }

  async function logIn(page: Page) {
    await page.getByLabel('Email address').fill(operator.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Password').press('Enter')
    await page.getByRole('heading', { name: 'Members', exact: true }).waitFor()
  }

  test('an operator logs in by keyboard alone, finds a member, and sees what the member is', async () => {
    const { page, complaints, close } = await open()
    await logIn(page)
    const search = page.getByLabel('Search members')
    await search.focus()
    await page.keyboard.type('guest17')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'guest17@example.com' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Guest 17', exact: true }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a list is paged, sorted and filtered by its address, which "back" and a reload keep', async () => {
    const { page, complaints, close } = await open()
    await logIn(page)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => page.url()).toContain('page=2')
    await page.getByText('Page 2, 46 in all').waitFor()
    await page.reload()
    await page.getByText('Page 2, 46 in all').waitFor()
    await page.getByRole('button', { name: 'Created' }).click()
    await expect.poll(() => page.url()).toContain('sort=created_at')
    await page.getByRole('link', { name: 'guest00@example.com' }).waitFor()
    await page.getByLabel('Status').selectOption('inactive')
    await page.getByText('Nothing matches').waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('names that are HTML are text, and a project of others is not there', async () => {
    const { page, complaints, close } = await open()
    await logIn(page)
    await page.goto(`${page.url().split('?')[0]}?search=html%40example.com`)
    await page.getByText('<img src=x').waitFor()
    await page.goto(`${api.url}/console/${other.project.id}/test/members`)
    await page.getByRole('alert').waitFor()
    expect(complaints.filter((each) => !each.includes('404'))).toEqual([])
    await close()
  })

  test('a session that ends keeps the screen, and a log-in over it goes on', async () => {
    const { page, close } = await open()
    await logIn(page)
    await operator.call('POST', '/logout', { scope: 'others' })
    await page.getByLabel('Search members').fill('guest01')
    await page.getByRole('dialog').getByLabel('Email address').fill(operator.email)
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.getByRole('dialog').getByLabel('Password').press('Enter')
    await page.getByRole('link', { name: 'guest01@example.com' }).waitFor()
    await close()
  })

  test.each(['light', 'dark'] as const)(
    'screens have no fault that axe finds in %s, and none is wider than a telephone',
    async (scheme) => {
      const { page, complaints, close } = await open({ width: 390, scheme })
      expect(await axeFaults(page)).toEqual([])
      await logIn(page)
      const at = page.url().replace(/members.*/, '')
      for (const path of ['members', 'orders', 'keys']) {
        await page.goto(`${at}${path}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await page.getByText('Loading …').waitFor({ state: 'detached' })
        expect([path, await axeFaults(page)]).toEqual([path, []])
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        expect([path, wider]).toEqual([path, 0])
      }
      expect(complaints).toEqual([])
      await close()
    },
  )

  test('the screens are in German for who reads German', async () => {
    const { page, close } = await open({ locale: 'de-DE' })
    await page.getByRole('button', { name: 'Anmelden' }).waitFor()
    await close()
  })
})

describe('the build', () => {
  test('loads at most 170 kB at first, compressed', async () => {
    const page = await readFile(join(CONSOLE, 'dist/index.html'), 'utf8')
    const files = [...page.matchAll(/\/console\/(assets\/[\w.-]+)/g)].map(([, file = '']) => file)
    const sizes = await Promise.all(
      files.map(async (file) => (await stat(join(CONSOLE, 'dist', `${file}.gz`))).size),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES)
  })

  test('has a German text for every English one', async () => {
    const { WORDS } = (await import(join(CONSOLE, 'src/data/words-de.ts'))) as {
      WORDS: Record<string, string>
    }
    const names = (await readdir(join(CONSOLE, 'src'), { recursive: true })).filter((name) =>
      /\.tsx?$/.test(name),
    )
    const texts = await Promise.all(names.map((name) => readFile(join(CONSOLE, 'src', name), 'utf8')))
    const said = texts.flatMap((text) => [
      ...[...text.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g)].map(([, each = '']) =>
        each.replaceAll("\\'", "'"),
      ),
      ...[...text.matchAll(/\b(?:group|name): '([A-Z][^']*)', (?:entries|path)/g)].map(
        ([, each = '']) => each,
      ),
    ])
    expect(said.length).toBeGreaterThan(50)
    expect(said.filter((text) => WORDS[text] === undefined)).toEqual([])
  })
})
