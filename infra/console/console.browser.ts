import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { areas } from '#areas/areas.ts'
import { issueLogin } from '#areas/auth/console/operators.ts'
import { permissionsOf } from '#platform/area.ts'
import { dataOf } from '#platform/db/tenant.ts'
import { CAPABILITIES } from '#platform/keys/permissions.ts'
import { OPERATORS_PROJECT } from '#platform/operators/operators-project.ts'
import type { TestApi } from '#testkit/api.ts'
import { makeOperator, PASSWORD, setRole, type TestOperator } from '#testkit/areas/console.ts'
import { makeProjects, type TestProject } from '#testkit/factories.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { withOwnApi } from '#testkit/with-api.ts'
import { axeFaults, FOCUSED } from '../elements/demo-rig.ts'
import { makeAndUseKey } from './flows/keys.ts'
import { assertFits, logInTo, type OpenOptions, openConsole, TRUSTED } from './pages.ts'
import { openScreen } from './walk.ts'

const CONSOLE = fileURLToPath(new URL('../../apps/console/', import.meta.url))
/** Bytes of the first load, compressed, styles included. */
const MOST_BYTES = 170 * 1024
const SCREENS = ['', 'members', 'orders', 'keys', 'webhooks', 'requests', 'team']

let api: TestApi
let one: TestProject
let other: TestProject
let operator: TestOperator
let viewer: TestOperator
let owner: TestOperator
let port: number

// The console's own origin is BASE_URL, which has to be where this API listens.
beforeAll(async () => {
  port = await freePort()
})
withOwnApi(
  () => ({ environment: { ...TRUSTED, PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` } }),
  async (opened) => {
    api = opened
    ;[one, other] = await makeProjects(api)
    const { projectId } = one.live
    ;[operator, viewer, owner] = [await makeOperator(api), await makeOperator(api), await makeOperator(api)]
    await setRole(api, projectId, operator.id, 'admin')
    await setRole(api, projectId, viewer.id, 'viewer')
    await setRole(api, projectId, owner.id, 'owner')
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

  const open = (options: OpenOptions = {}) => openConsole(browser, api.url, options)
  /** Logs in, and goes to the members of the first project. */
  const logIn = async (page: Page, who = operator) => {
    await logInTo(page, who.email)
    await page.goto(`${page.url().replace(/\/$/, '')}/members`)
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

  test('the link that the start prints logs in by its button and shows a project', async () => {
    const data = dataOf(api.deps.pool, OPERATORS_PROJECT, { kind: 'operator' })
    const token = await data.write((ctx) => issueLogin(ctx, operator.id, { local: true }))
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${api.url}/console/start?token=${token}`)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL(`**/console/${one.project.id}/**`)
    await context.close()
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

  test('a key is made by keyboard alone, shown until it is saved, used, and revoked', async () => {
    const opened = await open()
    await logIn(opened.page)
    await makeAndUseKey(opened, one.test)
  })

  test('a viewer sees no button that changes keys, members or the team', async () => {
    const { page, close } = await open()
    await logIn(page, viewer)
    const { id } = await one.test.makeMember()
    const at = page.url().replace(/members.*/, '')
    const main = page
      .getByRole('main')
      .getByRole('button', { name: /Create|Revoke|Edit|Invite|Change|Remove/ })
    for (const [path, shown] of [
      ['keys', page.getByRole('table')],
      [`members/${id}`, page.getByText(id)],
      ['team', page.getByRole('button', { name: 'Leave' })],
    ] as const) {
      await page.goto(`${at}${path}`)
      await shown.waitFor()
      expect([path, await main.count()]).toEqual([path, 0])
    }
    await close()
  })

  test('a member is edited; what somebody else changed meanwhile is shown, loaded and kept', async () => {
    const { page, close } = await open()
    await logIn(page)
    const { id } = await one.test.makeMember({ full_name: 'Ada Lovelace' })
    await page.goto(`${page.url().split('?')[0]}/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Role').fill('Not a role!')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => dialog.getByLabel('Role').getAttribute('aria-invalid')).toBe('true')
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await dialog.getByLabel('Role').fill('editor')
    await one.test.admin.patch(`/members/${id}`, { full_name: 'Ada King', status: 'inactive' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Ada Lovelace → Ada King').waitFor()
    await dialog.getByRole('button', { name: 'Load the change' }).click()
    await dialog.getByLabel('Status').selectOption('active')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Ada King' }).waitFor()
    const { body } = await one.test.admin.get<{ data: object }>(`/members/${id}?include=role`)
    expect(body.data).toMatchObject({ full_name: 'Ada King', status: 'active', role: 'editor' })
    await close()
  })

  test('an owner invites by keyboard alone, withdraws, changes a role and removes; the last owner stays', async () => {
    const { page, complaints, close } = await open()
    await logIn(page, owner)
    const added = await makeOperator(api)
    await setRole(api, one.live.projectId, added.id, 'viewer')
    await page.getByRole('link', { name: 'Team', exact: true }).click()
    await page.getByRole('button', { name: 'Invite' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Email address')
    await page.keyboard.type('grace@example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Withdraw the invitation to grace@example.com' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByText('No invitation waits for an answer').waitFor()
    await page.getByRole('button', { name: `Change role of ${added.email}` }).click()
    await dialog.getByLabel('Role').selectOption('admin')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: new RegExp(`${added.email}.*Admin`) }).waitFor()
    await page.getByRole('button', { name: `Remove ${added.email}` }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByText(added.email).count()).toBe(0)
    await page.getByRole('button', { name: 'Leave' }).click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await dialog.getByText('A project has at least one owner').waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test.each(['light', 'dark'] as const)(
    'screens have no fault that axe finds in %s, and none is wider than a telephone',
    async (scheme) => {
      const { page, complaints, close } = await open({ width: 390, scheme })
      await page.getByLabel('Email address').waitFor()
      expect(await axeFaults(page)).toEqual([])
      await logIn(page)
      const at = page.url().replace(/members.*/, '')
      for (const path of SCREENS) {
        await page.goto(`${at}${path}`)
        await assertFits(page, path)
      }
      await page.goto(`${at}keys`)
      await page.getByRole('button', { name: 'Create a key' }).click()
      await page.getByLabel('Name').waitFor()
      await assertFits(page, 'the form of a key')
      expect(complaints).toEqual([])
      await close()
    },
  )

  test('the menu shows the entry of the present screen, also where a link led there and after the way back', async () => {
    const { page, complaints, close } = await open()
    await logIn(page)
    const side = new URL(page.url()).pathname.replace('/members', '')
    const isInView = async () => {
      const menu = await page.getByRole('navigation', { name: 'Screens' }).boundingBox()
      const entry = await page.locator('nav [aria-current=page]').boundingBox()
      return (
        menu !== null && entry !== null && entry.y >= menu.y && entry.y + entry.height <= menu.y + menu.height
      )
    }
    const steps: [string, boolean][] = []
    for (const path of ['team', 'members', 'webhooks', 'members', 'settings/usage']) {
      await openScreen(page, `${side}/${path}`)
      steps.push([path, await isInView()])
    }
    await page.goBack()
    await page.getByRole('heading', { name: 'Members', exact: true }).waitFor()
    steps.push(['back', await isInView()])
    expect(steps.filter(([, isSeen]) => !isSeen)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  test('the screens are in German for who reads German', async () => {
    const { page, close } = await open({ locale: 'de-DE' })
    await page.getByRole('button', { name: 'Anmelden', exact: true }).waitFor()
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

  test('offers exactly the permissions and capabilities that the API knows', async () => {
    const { PERMISSIONS, CAPABILITIES: offered } = (await import(
      join(CONSOLE, 'src/areas/api-keys/rights.ts')
    )) as { PERMISSIONS: string[]; CAPABILITIES: string[] }
    expect(PERMISSIONS.toSorted()).toEqual(permissionsOf(areas).toSorted())
    expect(['auth', ...offered].toSorted()).toEqual(CAPABILITIES.toSorted())
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
      ...[...text.matchAll(/\b(?:group|name): '([A-Z][^']*)',\s*(?:entries|path)/g)].map(
        ([, each = '']) => each,
      ),
    ])
    expect(said.length).toBeGreaterThan(50)
    expect(said.filter((text) => WORDS[text] === undefined)).toEqual([])
  })
})
