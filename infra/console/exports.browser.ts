import { afterAll, expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { FOCUSED, tabTo } from '../elements/demo-rig.ts'
import { downloadCsv, makeExports } from './flows/exports.ts'
import { withConsole } from './rig.ts'

// The button that exports a list, with a worker that comes late, and with one that gives up.

let s3: TestS3
const rig = withConsole(
  async ({ one }) => {
    const user_id = await one.test.member()
    for (const [type, title] of [
      ['bug', 'The bell does not ring'],
      ['feature', 'A night ferry'],
    ])
      await one.test.admin.post('/feedback', { type, title, message: 'Please.', user_id })
  },
  {
    environment: async () => {
      s3 = await startS3()
      return s3.environment
    },
  },
)
afterAll(() => s3.close())

const exportsOf = async (): Promise<number> => {
  const { rows } = await rig.api.owner.query<{ count: number }>('select count(*)::int from exports')
  return rows[0]?.count ?? 0
}

describeWithBrowser('the list of exports', () => {
  test('has what was exported before, with its state, and gives the file once more', async () => {
    const { page, complaints, close } = await rig.openAt('exports')
    await page.getByText('Nothing was exported in the last month').waitFor()
    const { id } = (
      await rig.one.test.admin.post<{ data: { id: string } }>('/exports', {
        ...{ of: 'feedback', filters: { type: 'feature' } },
      })
    ).body.data
    await page.reload()
    const row = page.getByRole('row', { name: /Feedback .*\.csv/ })
    await row.getByText('queued').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
    // It is read again by itself until the file is there.
    const worker = makeExports(rig.api, s3)
    await row.getByText('completed').waitFor()
    await worker.stop()
    const { name, rows } = await downloadCsv(page, () =>
      row.getByRole('button', { name: /^Download/ }).click(),
    )
    expect(name).toMatch(/^Feedback \d{4}-\d\d-\d\d\.csv$/i)
    expect(rows.flat()).toContain('A night ferry')
    expect(rows.flat()).not.toContain('The bell does not ring')
    await rig.api.owner.query(`update exports set status = 'failed', error = 'The storage is full'`)
    await page.goto(`${page.url()}?status=failed`)
    await page.getByText('The storage is full').waitFor()
    expect(id).toMatch(/^exp_/)
    expect(complaints).toEqual([])
    await close()
    await rig.api.owner.query('delete from exports')
  })

  test('is not for viewers', async () => {
    const { page, close } = await rig.openAt('exports', { who: rig.viewer })
    await page.getByText('Owners and admins of the project see exports').waitFor()
    await close()
  })
})

describeWithBrowser('the button that exports', () => {
  test('asks once for what the list shows, says that it is under way, and downloads it', async () => {
    const before = await exportsOf()
    const { page, complaints, close } = await rig.openAt('feedback?type=bug&sort=new&order=desc&page=1')
    await page.getByRole('link', { name: 'The bell does not ring' }).waitFor()
    await tabTo(page, 'Export')
    await page.keyboard.press('Enter')
    const button = page.getByRole('button', { name: 'Exporting …' })
    await button.waitFor()
    expect(await button.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Enter')
    await expect.poll(exportsOf).toBe(before + 1)
    let worker: { stop(): Promise<void> } | undefined
    const { name, rows } = await downloadCsv(page, async () => {
      worker = makeExports(rig.api, s3)
    })
    await worker?.stop()
    expect(name).toMatch(/^Feedback \d{4}-\d\d-\d\d\.csv$/i)
    const titles = rows.map((row) => row[rows[0]?.indexOf('title') ?? -1])
    expect(titles).toEqual(['title', 'The bell does not ring'])
    await page.getByRole('status').getByText('The file is downloaded').waitFor()
    // The second press asked for nothing, and the focus is where it was.
    expect(await exportsOf()).toBe(before + 1)
    expect(await page.evaluate(FOCUSED)).toBe('Export')
    expect(complaints).toEqual([])
    await close()
  })

  test('says why an export failed, and asks for another one when it is pressed again', async () => {
    const { page, close } = await rig.openAt('feedback')
    const button = page.getByRole('button', { name: 'Export', exact: true })
    await button.click()
    const left = `update exports set status = 'failed', error = 'The storage is full' where status = 'queued'`
    await expect.poll(async () => (await rig.api.owner.query(left)).rowCount).toBe(1)
    const alert = page.getByRole('alert')
    await alert.getByText('The storage is full').waitFor()
    const worker = makeExports(rig.api, s3)
    const { rows } = await downloadCsv(page, () => button.click())
    await worker.stop()
    expect(rows).toHaveLength(3)
    expect(await alert.count()).toBe(0)
    await close()
  })

  test('is not there for viewers', async () => {
    const { page, close } = await rig.openAt('feedback', { who: rig.viewer })
    await page.getByRole('link', { name: 'A night ferry' }).waitFor()
    expect(await page.getByRole('button', { name: /^Export/ }).count()).toBe(0)
    await close()
  })
})
