import { readFile, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { axeFaults, FOCUSED } from '../elements/demo-rig.ts'
import { buildStories } from './build.ts'
import { faultsOfTab } from './keyboard.ts'
import type { OpenOptions } from './pages.ts'
import { withConsole } from './rig.ts'
import { widerThanWindow } from './walk.ts'

// The parts of the console in all their states, on the page that a build of its own has.

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

const folder = join(inject('servers').runFolder, `stories-${process.pid}`)
const rig = withConsole()
beforeAll(() => buildStories(folder))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The page of the parts, in place of the console that is served. */
async function openStories(options: OpenOptions = {}) {
  const opened = await rig.openAt('', options)
  await opened.page.route(
    ({ pathname }) => pathname.startsWith('/console/') && !pathname.startsWith('/console/api'),
    async (route) => {
      const { pathname } = new URL(route.request().url())
      const file = pathname.startsWith('/console/assets/') ? pathname.slice('/console/'.length) : 'index.html'
      const body = await readFile(join(folder, file)).catch(() => undefined)
      // What the screen before still loads is of the other build.
      if (body === undefined) await route.fallback()
      else await route.fulfill({ body, contentType: TYPES[extname(file)] ?? 'text/html' })
    },
  )
  await opened.page.goto(`${rig.api.url}/console/stories`)
  await opened.page.getByRole('heading', { name: 'Parts of the console' }).waitFor()
  return opened
}

const tabsOf = async (page: Page) => {
  const tabs = page.getByRole('tablist', { name: 'Member' }).getByRole('tab')
  const of = (name: string) => tabs.evaluateAll((all, each) => all.map((tab) => tab.getAttribute(each)), name)
  return {
    names: await tabs.allTextContents(),
    selected: await of('aria-selected'),
    stops: await of('tabindex'),
  }
}

describeWithBrowser('the parts of the console', () => {
  test.each([
    ['light', 390],
    ['dark', 1280],
  ] as const)(
    'have no fault that axe finds in %s, fit into %i px, and are reached by Tab',
    async (scheme, width) => {
      const { page, complaints, close } = await openStories({ scheme, width })
      const parts = await page.locator('main > section').count()
      expect(parts).toBeGreaterThan(15)
      // States of a part stand side by side here, so that two have the same name.
      const faults = (await axeFaults(page)).filter((fault) => !fault.startsWith('landmark-unique'))
      expect([faults, await widerThanWindow(page), complaints]).toEqual([[], 0, []])
      expect(await faultsOfTab(page)).toEqual([])
      await close()
    },
  )

  test('tabs are one stop of Tab; arrows, Home and End choose one, and the address keeps it', async () => {
    const { page, complaints, close } = await openStories()
    const list = page.getByRole('tablist', { name: 'Member' })
    const [first, second, third] = ['Overview', 'Orders', 'Sitzungen und Anmeldungen'] as const
    expect(await tabsOf(page)).toEqual({
      names: [first, second, third],
      selected: ['true', 'false', 'false'],
      stops: ['0', '-1', '-1'],
    })
    const depth = await page.evaluate(() => history.length)
    await list.getByRole('tab', { name: first }).focus()
    for (const [key, name] of [
      ['ArrowRight', second],
      ['ArrowRight', third],
      ['ArrowRight', first],
      ['End', third],
      ['Home', first],
      ['ArrowLeft', third],
      ['ArrowLeft', second],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => page.evaluate(FOCUSED)).toBe(name)
      // What is shown is that tab's alone, and says whose it is.
      const panel = page.getByRole('tabpanel', { name })
      expect(await panel.textContent()).toBe(name)
      expect(await page.getByRole('tabpanel').count()).toBe(1)
      const tab = list.getByRole('tab', { name, selected: true })
      expect(await tab.getAttribute('aria-controls')).toBe(await panel.getAttribute('id'))
      expect(new URL(page.url()).searchParams.get('tab')).toBe(name)
    }
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('tabpanel')
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => page.evaluate(FOCUSED)).toBe(second)
    // "Back" leaves the screen: it does not go through the tabs.
    expect(await page.evaluate(() => history.length)).toBe(depth)
    await page.reload()
    await page.getByRole('tabpanel', { name: second }).waitFor()
    expect((await tabsOf(page)).stops).toEqual(['-1', '0', '-1'])
    expect(complaints).toEqual([])
    await close()
  })
})
