import { createReadStream } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Form } from '#areas/forms/schema.ts'
import { readCsv } from '#platform/csv/read-csv.ts'
import { parseConfig } from '#platform/parse-config.ts'
import type { TestApi } from '#testkit/api.ts'
import { workOnExports } from '#testkit/environments/export-environment.ts'
import type { Side } from '#testkit/factories.ts'
import type { TestS3 } from '#testkit/servers/s3.ts'
import { tabTo } from '../../elements/demo-rig.ts'
import type { ConsoleRig } from '../rig.ts'

/** Starts a worker that makes what is exported. */
export const makeExports = ({ config, database }: TestApi, s3: TestS3): ReturnType<typeof workOnExports> =>
  workOnExports(
    parseConfig({
      ...s3.environment,
      ...{ DATABASE_URL: database.url, SECRET_KEY: database.secretKey, LOG_LEVEL: 'silent' },
      ...{ BASE_URL: config.BASE_URL, LEASE_MS: '10000', SWEEP_MS: '200' },
    }),
  )

/** A file that the browser has stored. */
interface Downloaded {
  readonly name: string
  /** The cells of each row, with the header. */
  readonly rows: readonly (readonly string[])[]
}

/** @param act what makes the browser download a file */
export async function downloadFile(page: Page, act: () => Promise<unknown>) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), path: await download.path() }
}

/** @param act what makes the browser download a CSV file */
export async function downloadCsv(page: Page, act: () => Promise<unknown>): Promise<Downloaded> {
  const { name, path } = await downloadFile(page, act)
  const rows: (readonly string[])[] = []
  for await (const { cells } of readCsv(createReadStream(path))) rows.push(cells)
  return { name, rows }
}

/** Fills a form in as a visitor does, with a key that everybody may know. */
async function answer(side: Side, form: Form, answers: readonly string[][]): Promise<void> {
  const { key } = await side.makeKey({ type: 'public', capabilities: ['catalog', 'submit'] })
  const visitor = side.as(key)
  const { body } = await visitor.get<{ data: { token: string } }>(`/forms/${form.id}/schema`)
  for (const values of answers) {
    const data = Object.fromEntries(form.fields.map(({ id }, i) => [id, values[i] === 'yes' || values[i]]))
    const { status } = await visitor.post(`/forms/${form.id}/submissions`, { data, token: body.data.token })
    expect(status).toBe(201)
  }
}

/** A checkbox, an address and a message of each visitor. */
const ANSWERS = [
  ['yes', 'ada@example.com', 'Two lines,\nwith a "quote"; and a comma'],
  ['yes', 'grace@example.com', '=HYPERLINK("https://example.com")'],
  ['yes', 'joerg@example.com', 'Grüße aus Köln 🚣'],
]

/** Visitors fill a form in; the operator gets what they sent as a file, and then what is searched alone. */
export async function exportAnswers(rig: ConsoleRig, form: Form): Promise<void> {
  await answer(rig.one.test, form, ANSWERS)
  const { page, complaints, close } = await rig.openAt(`forms/${form.id}`)
  const list = page.getByRole('table', { name: 'Submissions' })
  await expect.poll(() => list.getByRole('row').count()).toBe(ANSWERS.length + 1)
  await tabTo(page, 'Export as CSV')
  const { name, rows } = await downloadCsv(page, () => page.keyboard.press('Enter'))
  expect(name).toMatch(/^Sailing lessons \d{4}-\d\d-\d\d\.csv$/)
  const [header, ...found] = rows
  expect(header?.slice(0, 6)).toEqual([
    'id',
    'created_at',
    'member_id',
    ...form.fields.map(({ label }) => label),
  ])
  // A spreadsheet would run what begins with "=": it is written as a text.
  const guarded = ANSWERS.map(([, address, text = '']) => ['true', address, text.replace(/^=/, "'=")])
  expect(found.map((row) => row.slice(3, 6))).toEqual(guarded)
  await page.getByRole('status').getByText('The file is downloaded').waitFor()

  await page.getByLabel('Search submissions').fill('Köln')
  await expect.poll(() => list.getByRole('row').count()).toBe(2)
  const searched = await downloadCsv(page, () => page.getByRole('button', { name: 'Export as CSV' }).click())
  expect(searched.rows.slice(1).map((row) => row.slice(3, 6))).toEqual(guarded.slice(2))
  expect(complaints).toEqual([])
  await close()
}
