import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { tabTo } from '../elements/demo-rig.ts'
import { hasPython } from './codes.ts'
import { withConsole } from './rig.ts'

// Lists: rows are chosen and changed together.

const run = promisify(execFile)

const rig = withConsole(async ({ one }) => {
  for (let i = 0; i < 25; i++)
    await one.test.makeMember({
      email: `row${String(i).padStart(2, '0')}@example.com`,
      full_name: `Row ${i}`,
    })
})

const countOf = async (status: string) =>
  (await rig.one.test.admin.get<{ pagination: { total: number } }>(`/members?status=${status}`)).body
    .pagination.total

describeWithBrowser('tables of the console', () => {
  test('all members that match are changed at once by keyboard, after their number was said', async () => {
    const { page, complaints, close } = await rig.openAt('members?search=row')
    await page.getByLabel('Choose Row 24').press('Space')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 chosen').waitFor()
    await tabTo(page, 'Choose all 25 that match')
    await page.keyboard.press('Enter')
    await page.getByText('25 chosen').waitFor()
    await rig.one.test.admin.patch(
      `/members/${(await page.getByRole('link', { name: 'row24@example.com' }).getAttribute('href'))?.split('/').at(-1)}`,
      { status: 'inactive' },
    )
    await tabTo(page, 'Change status')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('24 members change; 1 has this value already.').waitFor()
    expect(await countOf('inactive')).toBe(1)
    await dialog.getByRole('button', { name: 'Change', exact: true }).press('Enter')
    await dialog.getByText('24 done, 0 failed').waitFor()
    expect(await countOf('inactive')).toBe(25)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByText('25 chosen').count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })

  test('another filter chooses anew, another page does not; a range is chosen with Shift; a viewer chooses nothing', async () => {
    const { page, close } = await rig.openAt('members?search=row&sort=created_at&order=asc')
    await page.getByLabel('Choose Row 3', { exact: true }).click()
    await page.getByLabel('Choose Row 6', { exact: true }).click({ modifiers: ['Shift'] })
    await page.getByText('4 chosen').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByLabel('Choose Row 22', { exact: true }).click()
    await page.getByText('5 chosen').waitFor()
    await page.getByLabel('Status').selectOption('active')
    await expect.poll(() => page.getByText('5 chosen').count()).toBe(0)
    await close()
    const viewer = await rig.openAt('members?search=row', { who: rig.viewer })
    await viewer.page.getByRole('link', { name: 'row24@example.com' }).waitFor()
    expect(await viewer.page.getByRole('checkbox').count()).toBe(0)
    await viewer.close()
  })

  test('a table between a telephone and a screen hides what is less important, and is not scrolled', async () => {
    const { page, close } = await rig.openAt('members?search=row', { width: 860 })
    await page.getByRole('link', { name: 'row24@example.com' }).waitFor()
    const wider = await page.evaluate(
      `(() => { const frame = document.querySelector('table').parentElement; return frame.scrollWidth - frame.clientWidth })()`,
    )
    expect(wider).toBe(0)
    expect(await page.getByRole('columnheader', { name: 'Created' }).count()).toBe(0)
    await close()
  })

  test('a filtered list shown as code gets the same rows with curl, with the client library and with Python', async () => {
    const name = `O'Neil "Ünal" $HOME \`id\` & %41`
    await rig.one.test.makeMember({ email: 'oneil@example.com', full_name: name })
    const { page, complaints, close } = await rig.openAt(
      `members?search=${encodeURIComponent(name)}&status=active`,
    )
    await page.getByRole('link', { name: 'oneil@example.com' }).waitFor()
    await page.getByRole('button', { name: 'Show as code' }).click()
    const dialog = page.getByRole('dialog')
    const env = { ...process.env, GUILDHALL_KEY: rig.one.test.key }
    const curl = (await dialog.getByLabel('curl', { exact: true }).textContent()) ?? ''
    const { stdout } = await run('bash', ['-c', `${curl} -sS`], { env })
    expect(JSON.parse(stdout).data).toMatchObject([{ email: 'oneil@example.com', full_name: name }])
    await dialog.getByRole('button', { name: 'SDK' }).click()
    const sdk = (await dialog.getByLabel('SDK', { exact: true }).textContent()) ?? ''
    const library = new URL('../../packages/sdk/src/guildhall.ts', import.meta.url).href
    const module = sdk.replace('@guildhall/sdk', library)
    const printed = await run(process.execPath, ['--input-type=module', '-e', module], { env })
    expect(printed.stdout).toContain('oneil@example.com')
    await dialog.getByRole('button', { name: 'Python' }).click()
    const python = (await dialog.getByLabel('Python', { exact: true }).textContent()) ?? ''
    expect(python).toContain(`("search", ${JSON.stringify(name)}),`)
    if (hasPython) {
      const answer = await run('python3', ['-c', python], { env })
      expect(JSON.parse(answer.stdout)).toEqual(JSON.parse(stdout))
    }
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'oneil@example.com' }).click()
    await page.getByRole('button', { name: 'Show as code' }).click()
    await dialog.getByText('/api/v1/members/mem_').waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('days are chosen by a preset or one by one, and stand in the address', async () => {
    const { page, close } = await rig.openAt('members?search=row')
    await page.getByLabel('Created', { exact: true }).selectOption('Last 7 days')
    await expect.poll(() => page.url()).toMatch(/start_date=\d{4}-\d\d-\d\d&end_date=/)
    await page.getByText('Page 1, 25 in all').waitFor()
    await page.getByLabel('Created', { exact: true }).selectOption('Days of your choice')
    await page.getByLabel('Created: to').fill('2001-01-01')
    await page.getByText('Nothing matches').waitFor()
    await page.reload()
    expect(await page.getByLabel('Created: to').inputValue()).toBe('2001-01-01')
    await page.getByLabel('Created', { exact: true }).selectOption('Created: always')
    await page.getByText('Page 1, 25 in all').waitFor()
    await close()
  })
})
