import { expect, test } from 'vitest'
import { THINGS } from '#areas/console/search/things.ts'
import { makeOrder } from '#testkit/areas/money/shop.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { NAMED, PLACES } from '../../apps/console/src/app/palette/places.ts'
import { axeFaults, FOCUSED } from '../elements/demo-rig.ts'
import { assertFits } from './pages.ts'
import { withConsole } from './rig.ts'

// The home of a project, analytics, events, and the search of everything.

let member: { readonly id: string }
let order: { readonly id: string }
/** The id of a request that was refused. */
let request: string | undefined

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const rig = withConsole(async ({ one }) => {
  for (const name of ['Ada Lovelace', 'Grace Hopper'])
    await one.test.makeMember({ email: `${name.split(' ')[0]?.toLowerCase()}@example.com`, full_name: name })
  member = await one.test.makeMember({ email: 'grace.hopper@example.com', full_name: 'Rear Admiral Hopper' })
  order = await makeOrder(one.test)
  const visit = { url: 'https://example.com/prices', user_agent: FIREFOX, ip: '192.0.2.9' }
  await one.test.admin.post('/analytics/pageview', visit)
  request = (await one.test.admin.post('/members', { email: 'nobody' })).headers['x-request-id']
})

describeWithBrowser('reports of analytics', () => {
  test('a funnel is made of steps and shows each as a table, and its fault is said', async () => {
    const { page, complaints, close } = await rig.openAt('analytics/funnel')
    await page.getByLabel('Step 1', { exact: true }).fill('/prices')
    await page.getByLabel('Step 2', { exact: true }).fill('/thanks')
    await page.getByRole('button', { name: 'Add a step' }).click()
    await page.getByRole('button', { name: 'Remove step 3' }).click()
    await page.getByRole('button', { name: 'Show the funnel' }).click()
    const rows = page.getByRole('table', { name: 'Funnel' }).getByRole('row')
    await expect.poll(() => rows.count()).toBe(3)
    const cells = (row: number) => rows.nth(row).locator('td, th').allTextContents()
    expect(await cells(1)).toEqual(['/prices', '1', '100 %', '100 %'])
    expect(await cells(2)).toEqual(['/thanks', '0', '0 %', '0 %'])
    await page.getByLabel('Step 2', { exact: true }).fill('x'.repeat(3_000))
    await page.getByRole('button', { name: 'Show the funnel' }).click()
    await page.getByRole('alert').waitFor()
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([])
    await close()
  })

  test('retention shows by weeks and months who came back', async () => {
    await rig.one.test.admin.post('/analytics/track', { event: 'seen', user_id: member.id })
    const { page, complaints, close } = await rig.openAt('analytics/retention')
    const table = page.getByRole('table', { name: 'Retention' })
    await expect.poll(() => table.getByRole('row').last().textContent()).toMatch(/1100 %/)
    await page.getByLabel('Groups of').selectOption('month')
    await expect.poll(() => page.url()).toMatch(/interval=.*month/)
    await table.waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('the home of a project', () => {
  test('a chart says each of its values to who has only a keyboard, and shows them as a table', async () => {
    const { page, complaints, close } = await rig.openAt('')
    const chart = page.getByRole('slider', { name: 'New members' })
    await chart.focus()
    expect(await page.evaluate(FOCUSED)).toBe('New members')
    const days = Number(await chart.getAttribute('aria-valuemax')) + 1
    expect(days).toBe(30)
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/^\w+ \d+, \d{4}: [1-9]\d* members$/)
    await page.keyboard.press('ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 0 members$/)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'As a table: New members' }).press('Enter')
    await expect
      .poll(() => page.getByRole('table', { name: 'New members' }).getByRole('row').count())
      .toBe(days + 1)
    await page.getByLabel('Days of the charts').selectOption('7')
    await expect.poll(() => page.url()).toMatch(/days=.*7/)
    await expect.poll(() => chart.getAttribute('aria-valuemax')).toBe('6')
    expect(complaints).toEqual([])
    await close()
  })

  test('a project without members says what comes first, with code that works', async () => {
    const { page, complaints, close } = await rig.openAt('')
    await page.goto(page.url().replace('/test', '/live'))
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
    const code = (await page.getByLabel('Add a member', { exact: true }).textContent()) ?? ''
    const body = JSON.parse(/-d '(.*)'/.exec(code)?.[1] ?? '') as object
    expect(
      (await rig.one.test.admin.post('/members', { ...body, email: 'ada.king@example.com' })).status,
    ).toBe(201)
    const plan = (await page.getByLabel('Make a plan', { exact: true }).textContent()) ?? ''
    const planned = JSON.parse(/-d '(.*)'/.exec(plan)?.[1] ?? '') as object
    expect((await rig.one.test.admin.post('/plans', planned)).status).toBe(201)
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('the search of everything', () => {
  test('opens what is pasted by keyboard alone: an id, an address, a number and a request', async () => {
    const { page, complaints, close } = await rig.openAt('')
    const { number } = (
      await rig.one.test.admin.get<{ data: { number: string } }>(`/shop/orders/${order.id}`)
    ).body.data
    const pasted = [
      [member.id, `/members/${member.id}`],
      ['grace.hopper@example.com', `/members/${member.id}`],
      [number, `/orders/${order.id}`],
      [request ?? '', `/requests/${request}`],
    ]
    await page.getByRole('button', { name: 'Find or do (Ctrl+K)' }).waitFor()
    for (const [text = '', path] of pasted) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find or do' }).waitFor()
      await expect.poll(() => page.evaluate(FOCUSED)).toBe('Find or do')
      await page.keyboard.insertText(text)
      await page.keyboard.press('Enter')
      await expect.poll(() => page.url()).toContain(path)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(complaints).toEqual([])
    await close()
  })

  test('leads from an id of every kind to a screen that there is', async () => {
    expect(THINGS.map(({ type }) => type).filter((type) => PLACES[type] === undefined)).toEqual([])
    const { page, complaints, close } = await rig.openAt('')
    const routes = (await page.evaluate('Object.keys(window.__TSR_ROUTER__.routesByPath)')) as string[]
    const hasScreen = (path: string) => routes.includes(`/$project/$side/${path}`)
    const lost = Object.entries(PLACES).filter(([, paths]) => !paths.some(hasScreen))
    expect(lost).toEqual([])
    expect(NAMED.filter(({ path }) => !hasScreen(path))).toEqual([])
    const { body } = await rig.one.test.admin.get<object>(`/shop/orders/${order.id}`)
    const [line = ''] = /line_[0-9a-z]{26}/.exec(JSON.stringify(body)) ?? []
    // Before it is there, nobody hears the keys.
    await page.getByRole('button', { name: 'Find or do (Ctrl+K)' }).waitFor()
    for (const [id, path] of [
      [line, `/orders/${order.id}`],
      [rig.admin.publicId, '/team'],
      [rig.one.project.id, `/${rig.one.project.id}/test`],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find or do' }).fill(id)
      await page.keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).pathname).toMatch(new RegExp(`${path}/?$`))
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    expect(complaints).toEqual([])
    await close()
  })

  test('does what a screen offers, also from another screen, by keyboard alone', async () => {
    const { page, complaints, close } = await rig.openAt(`members/${member.id}`)
    const choose = async (name: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find or do' }).fill(name)
      await page.getByRole('option', { name }).first().waitFor()
      await page.keyboard.press('Enter')
    }
    const opened = async (title: RegExp | string) => {
      await page.getByRole('dialog', { name: title }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Change plan' }).waitFor()
    await choose('Change plan')
    await opened(/plan/)
    // One that its menu hides.
    await choose('Delete the member')
    await opened(/Delete/)
    for (const { name, press } of NAMED)
      if (press !== false && name !== 'Upload files' && name !== 'Delete the project') {
        await choose(name)
        await opened(/./)
      }
    expect(complaints).toEqual([])
    await close()
  })

  test('leads to screens and acts by their names, keeps what was opened, and goes with Escape', async () => {
    const { page, complaints, close } = await rig.openAt('')
    const field = page.getByRole('combobox', { name: 'Find or do' })
    await page.getByRole('button', { name: 'Find or do (Ctrl+K)' }).click()
    await field.fill('rear admiral')
    await page.getByRole('option', { name: /Rear Admiral Hopper/ }).click()
    await page.getByRole('heading', { name: 'Rear Admiral Hopper' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /Rear Admiral Hopper.*Recent/ }).waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await field.fill('add a member')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Add a member' }).waitFor()
    expect(await axeFaults(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('the log of events', () => {
  test('is filtered by a group, and an event leads to the request that caused it', async () => {
    const { page, complaints, close } = await rig.openAt('events')
    await page.getByLabel('Type of event').selectOption('order.*')
    await expect.poll(() => page.getByRole('link', { name: /^member\./ }).count()).toBe(0)
    await page.getByRole('link', { name: 'order.created' }).first().click()
    await page.getByRole('heading', { name: 'order.created' }).waitFor()
    expect(await page.getByLabel('What webhooks get').first().textContent()).toContain(order.id)
    await assertFits(page, 'an event')
    await page
      .getByRole('link', { name: /^[\w-]{20,}$/ })
      .first()
      .click()
    await page.getByRole('heading', { name: /^POST/ }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('analytics', () => {
  test('a report has the visits of a site by page and by browser, and a goal is made and deleted', async () => {
    const { page, complaints, close } = await rig.openAt('analytics')
    await page.getByRole('row', { name: /^\/prices/ }).waitFor()
    await page.getByLabel('Broken down by', { exact: true }).selectOption('browser')
    await page.getByRole('row', { name: /^Firefox/ }).waitFor()
    await assertFits(page, 'analytics')
    await page.getByRole('link', { name: 'Goals' }).click()
    await page.getByRole('button', { name: 'Create a goal' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('What counts').selectOption('page')
    await dialog.getByLabel('Path of the page').fill('prices')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => dialog.getByLabel('Path of the page').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Path of the page').fill('/prices')
    await dialog.getByLabel('Name', { exact: true }).fill('Prices')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Delete Prices' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no goals yet').waitFor()
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
    await close()
  })
})

// The last: what is made after it is made a week later.
describeWithBrowser('the test clock', () => {
  test('the clock of the test side is moved with a question, and the live side has none', async () => {
    const { page, complaints, close } = await rig.openAt('settings/test-clock')
    await page.getByRole('button', { name: 'One week' }).click()
    await page.getByRole('button', { name: 'Move the clock', exact: true }).click()
    await page.getByText('7 days', { exact: true }).waitFor()
    await page.goto(page.url().replace('/test/', '/live/'))
    await page.getByText('Only the test side has a clock.').waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})
