import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { Form } from '#areas/forms/schema.ts'
import type { Article } from '#areas/help/schema.ts'
import { parseConfig } from '#platform/parse-config.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { workOnExports } from '#testkit/environments/export-environment.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { startS3, type TestS3 } from '#testkit/servers/s3.ts'
import { FOCUSED, tabTo } from '../elements/demo-rig.ts'
import { withConsole } from './rig.ts'

// Forms, page rules and the help center, as an operator makes them.

let s3: TestS3
let worker: { stop(): Promise<void> }
const rig = withConsole(
  async ({ api }) => {
    worker = workOnExports(
      parseConfig({
        ...s3.environment,
        ...{ DATABASE_URL: api.database.url, SECRET_KEY: api.database.secretKey, LOG_LEVEL: 'silent' },
        ...{ BASE_URL: api.config.BASE_URL, LEASE_MS: '10000', SWEEP_MS: '200' },
      }),
    )
  },
  {
    environment: async () => {
      s3 = await startS3()
      return s3.environment
    },
  },
)
afterAll(async () => {
  await worker.stop()
  await s3.close()
})

const press = async (page: Page, name: string) => {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Takes the item whose handle has the focus to the beginning of its list. */
async function dropFirst(page: Page): Promise<void> {
  const focused = () => page.evaluate(FOCUSED)
  await page.keyboard.press('Enter')
  await expect.poll(focused).toMatch(/^Insert/)
  await page.keyboard.press('Home')
  await expect.poll(focused).toMatch(/^Insert before/)
  await page.keyboard.press('Enter')
}

/** The form whose editor is open, as it is stored. */
async function storedForm(page: Page): Promise<Form> {
  const [id = ''] = /form_\w+/.exec(page.url()) ?? []
  return (await rig.one.test.admin.get<{ form: Form }>(`/forms/${id}?include=status,version`)).body.form
}

describeWithBrowser('forms in the console', () => {
  test('a form is built and put in order by keyboard alone, and its preview shows what conditions hide', async () => {
    const { page, complaints, close } = await rig.openAt('forms')
    await press(page, 'Create a form')
    await page.keyboard.type('Sailing lessons')
    await page.keyboard.press('Enter')
    const fields = page.getByRole('grid', { name: 'Fields' })
    await fields.getByRole('row', { name: 'Message' }).waitFor()
    await page.getByLabel('Type of the new field').focus()
    await page.keyboard.type('Checkbox')
    await press(page, 'Add a field')
    const preview = page.locator('guildhall-form, [class*=preview]').last()
    await preview.getByLabel('Checkbox').waitFor()
    // The newest field goes to the top.
    await tabTo(page, 'Move Checkbox', 'Shift+Tab')
    await dropFirst(page)
    await expect
      .poll(() => fields.getByRole('row').allInnerTexts())
      .toEqual([expect.stringContaining('Checkbox'), expect.anything(), expect.anything()])
    await press(page, 'Save the draft')
    await expect
      .poll(async () => (await storedForm(page)).fields.map(({ type }) => type))
      .toEqual(['checkbox', 'email', 'textarea'])
    await press(page, 'Publish')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Visitors can fill it in from now on').waitFor()
    await tabTo(page, 'Cancel')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await storedForm(page)).status).toBe('published')
    expect(complaints).toEqual([])
    await close()
  })

  test('a fault of a field is shown at the field', async () => {
    const form = await makeForm(rig.one.test)
    const { page, close } = await rig.openAt(`forms/${form.id}/edit`)
    await page.getByRole('row', { name: 'Your email' }).click()
    await page.getByLabel('Id', { exact: true }).fill('message')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('is already the id of another field', { exact: true }).waitFor()
    expect(await page.getByLabel('Id', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await close()
  })

  test('submissions are searched, marked as spam, and shown with the member who sent them', async () => {
    const side = rig.one.test
    const { id, email } = await side.makeMember()
    const form = await makeForm(side, { name: 'Ask us' })
    for (const message of ['Hello from <b>Ada</b>', 'Ahoy'])
      await side.admin.post(`/forms/${form.id}/submissions`, {
        data: { email: 'ada@example.com', message },
        member_id: id,
      })
    const { page, complaints, close } = await rig.openAt(`forms/${form.id}?search=hello`)
    const list = page.getByRole('table', { name: 'Submissions' })
    await expect.poll(() => list.getByRole('row').count()).toBe(2)
    await list.getByRole('link').first().click()
    await page.getByText('Hello from <b>Ada</b>').waitFor()
    await page
      .getByRole('link', { name: new RegExp(email, 'i') })
      .or(page.locator('dd a'))
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Mark as spam' }).click()
    await page.getByRole('button', { name: 'This is no spam' }).waitFor()
    await page.getByRole('link', { name: 'All submissions' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    const csv = await readFile(await (await download).path(), 'utf8')
    expect(csv).toContain('Ahoy')
    expect(csv).not.toContain('Hello from')
    expect(complaints).toEqual([])
    await close()
  })

  test('a viewer reads forms, articles and rules, and is offered no act', async () => {
    const form = await makeForm(rig.one.test)
    const { page, complaints, close } = await rig.openAt('forms', { who: rig.viewer })
    for (const path of ['forms', `forms/${form.id}`, 'page-rules', 'files', 'help', 'help/categories']) {
      await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test/${path}`)
      await page.getByRole('heading').first().waitFor()
      await page.getByText('Loading …').waitFor({ state: 'detached' })
      for (const name of [/^Create a/, /^Write/, /^Upload/, /^Publish/, /^Delete/, /^Export/])
        expect([path, name, await page.getByRole('button', { name }).count()]).toEqual([path, name, 0])
    }
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('page rules in the console', () => {
  test('a rule says whom it changes before it is saved, and explains what happens to an address', async () => {
    const { page, complaints, close } = await rig.openAt('page-rules')
    const member = await rig.one.test.makeMember()
    await page.getByRole('link', { name: 'Create a rule' }).first().click()
    await page.getByLabel('Pages', { exact: true }).fill('no host and no path')
    await page.getByRole('button', { name: 'Save …' }).click()
    await expect
      .poll(() => page.getByLabel('Pages', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    await page.getByLabel('Pages', { exact: true }).fill('/courses/**')
    await page.getByRole('button', { name: 'Save …' }).click()
    await page.getByRole('dialog').getByText('This is what changes').waitFor()
    await page.getByRole('button', { name: 'Save the rule' }).click()
    await page.getByRole('heading', { name: '/courses/**' }).waitFor()
    await page.getByRole('link', { name: 'All page rules' }).click()
    await page.getByRole('link', { name: 'Explain an address' }).click()
    await page.getByLabel('Address of the page').fill('https://example.com/courses/knots?x=1')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('May not be seen').waitFor()
    await page.getByText('Somebody has to log in first').first().waitFor()
    await page.getByLabel(/^Member/).fill(member.email)
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('May be seen').waitFor()
    await page.getByLabel(/^Member/).fill('nobody@example.com')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('There is no such member').waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('the help center in the console', () => {
  const articleOf = async (page: Page): Promise<Article> => {
    const [id = ''] = /art_\w+/.exec(page.url()) ?? []
    return (await rig.one.test.admin.get<{ data: Article }>(`/help/articles/${id}`)).body.data
  }

  test('an article is written with its preview, published, translated, changed, and restored', async () => {
    const { page, complaints, close } = await rig.openAt('help')
    await page.getByRole('button', { name: 'Write an article' }).first().click()
    await page.getByLabel('Title', { exact: true }).fill('How to moor')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const text = page.getByRole('textbox', { name: 'Text' })
    await text.fill('Throw the **line** first.')
    await page.locator('strong', { hasText: 'line' }).waitFor()
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await expect.poll(async () => (await articleOf(page)).content).toBe('Throw the **line** first.')
    const publish = async () => {
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await publish()
    await page.getByText('Readers see this text, as version 1').waitFor()
    await page.getByLabel(/^Another language/).fill('de')
    await page.getByRole('button', { name: 'Translate' }).click()
    await page.getByText('Throw the **line** first.').waitFor()
    await page.getByLabel('Title', { exact: true }).fill('Wie man anlegt')
    await page.getByRole('textbox', { name: 'Text' }).fill('Zuerst die Leine.')
    await page.getByRole('button', { name: 'Save the translation' }).click()
    await page.getByRole('button', { name: 'Delete the translation' }).waitFor()
    await page.getByRole('link', { name: 'The article' }).click()
    await text.fill('Throw it **last**.')
    await page.getByRole('button', { name: 'Save the draft' }).click()
    await page.getByText('this draft is not published yet').waitFor()
    await publish()
    await page.getByText('Older than the original').waitFor()
    await page.getByRole('button', { name: 'Restore version 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await expect.poll(async () => (await articleOf(page)).draft?.content).toBe('Throw the **line** first.')
    expect(complaints).toEqual([])
    await close()
  })

  test('categories are put in order by keyboard alone', async () => {
    const side = rig.one.test
    for (const name of ['First', 'Second', 'Third']) await side.admin.post('/help/categories', { name })
    const { page, complaints, close } = await rig.openAt('help/categories')
    const names = async () => {
      const { body } = await side.admin.get<{ categories: { name: string }[] }>('/help/categories')
      return body.categories.map(({ name }) => name)
    }
    await page.getByRole('row', { name: 'Third' }).waitFor()
    const before = await names()
    await page.getByRole('row', { name: before[2] ?? '' }).focus()
    await page.keyboard.press('ArrowRight')
    await dropFirst(page)
    await expect.poll(names).toEqual([before[2], before[0], before[1]])
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('files in the console', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
    'base64',
  )

  test('are uploaded, also large ones past the API, shown, and deleted after it was said what uses them', async () => {
    const { page, complaints, close } = await rig.openAt('files')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Upload files' }).click()
    await (await chooser).setFiles([
      { name: 'dot.png', mimeType: 'image/png', buffer: PNG },
      { name: 'large.txt', mimeType: 'text/plain', buffer: Buffer.alloc(9 * 1024 * 1024, 'x') },
    ])
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.getByText('Done', { exact: true }).count()).toBe(2)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'large.txt' }).waitFor()
    await page.getByText(/^9 MB of .* used, 2 files$/).waitFor()
    await page.getByRole('link', { name: 'dot.png' }).click()
    const picture = page.getByRole('img', { name: 'Preview of dot.png' })
    await expect.poll(() => picture.evaluate((each) => (each as HTMLImageElement).naturalWidth)).toBe(1)
    const [id] = /file_\w+/.exec(page.url()) ?? []
    await rig.one.test.admin.post('/shop/products', { name: 'Dot', price: 1, images: [id] })
    await page.reload()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('Products: 1').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Files' }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'dot.png' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })
})
