import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toId } from '#platform/ids.ts'
import { makeOperator, setRole, type TestOperator } from '#testkit/areas/console.ts'
import {
  type DeliveryEnvironment,
  startDeliveryEnvironment,
} from '#testkit/environments/delivery-environment.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import { freePort } from '#testkit/servers/free-port.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { logInTo, openConsole, TRUSTED } from './pages.ts'

// Members from a file, with a worker that reads it.

const COLUMNS = fileURLToPath(
  new URL('../../apps/console/src/areas/member-imports/columns.ts', import.meta.url),
)

let s3: TestS3
let env: DeliveryEnvironment
let operator: TestOperator

beforeAll(async () => {
  const port = await freePort()
  s3 = await startS3()
  const own = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` }
  env = await startDeliveryEnvironment('postgres', { ...TRUSTED, ...s3.environment, ...own })
  env.startWorker()
  operator = await makeOperator(env.api)
  await setRole(env.api, env.one.projectId, operator.id, 'admin')
})
afterAll(async () => {
  await env.close()
  await s3.close()
})

test('a file of another program is read with its quotes, and sent with the chosen columns alone', async () => {
  const { readCsv, withFields } = (await import(COLUMNS)) as {
    readCsv: (text: string) => string[][]
    withFields: (rows: string[][], fields: string[]) => Blob
  }
  const rows = readCsv('\uFEFFName,"E-Mail, private",Note\r\n"Ada ""the first""",ada@example.com,\n')
  expect(rows).toEqual([
    ['Name', 'E-Mail, private', 'Note'],
    ['Ada "the first"', 'ada@example.com', ''],
  ])
  expect(await withFields(rows, ['full_name', 'email', '']).text()).toBe(
    'full_name,email\n"Ada ""the first""",ada@example.com\n',
  )
  expect(() => readCsv('a,b\n"x"y,z\n')).toThrow(SyntaxError)
})

describeWithBrowser('an import in the console', () => {
  test('is tried first, shows its faults by row, and then creates members', async () => {
    const browser = await startBrowser()
    const { page, complaints, close } = await openConsole(browser, env.api.url)
    await logInTo(page, operator.email)
    const at = `${env.api.url}/console/${toId('project', env.one.projectId)}/live/imports`
    const file = {
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('Name,E-mail,Shoe size\nAda,ada@example.com,38\nNobody,nobody,40\n'),
    }
    const send = async (verb: string) => {
      await page.goto(at)
      await page.getByLabel('A CSV file in UTF-8').setInputFiles(file)
      expect(await page.getByLabel('Field of the column Shoe size').inputValue()).toBe('')
      await page.getByRole('button', { name: verb }).click()
      await page.getByText('2 of 2 rows are done').waitFor()
    }
    await send('Try it')
    await page.getByRole('heading', { name: 'Trial of an import' }).waitFor()
    await page.getByRole('row', { name: /^3 email/ }).waitFor()
    const count = async () =>
      (await env.one.admin.get<{ pagination: { total: number } }>('/members?search=ada@example.com')).body
        .pagination.total
    expect(await count()).toBe(0)
    await send('Import without a trial')
    await expect.poll(count).toBe(1)
    expect(complaints).toEqual([])
    await close()
    await browser.close()
  })
})
