import { expect, test } from 'vitest'
import { makeCustomer, makeProduct } from '#testkit/areas/money/shop.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { FOCUSED } from '../elements/demo-rig.ts'
import { withConsole } from './rig.ts'

// The home of a project, analytics, events, and the search of everything.

const rig = withConsole(async ({ one }) => {
  for (const name of ['Ada Lovelace', 'Grace Hopper'])
    await one.test.makeMember({ email: `${name.split(' ')[0]?.toLowerCase()}@example.com`, full_name: name })
  await makeProduct(one.test)
  await makeCustomer(one.test)
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
