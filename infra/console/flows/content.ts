import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Form } from '#areas/forms/schema.ts'
import type { Article } from '#areas/help/schema.ts'
import { FOCUSED, tabTo } from '../../elements/demo-rig.ts'
import type { ConsoleRig } from '../rig.ts'

/** Goes by the keyboard to what has this name, and presses it. */
async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Takes the item whose handle has the focus to the beginning of its list. */
export async function dropFirst(page: Page): Promise<void> {
  const focused = () => page.evaluate(FOCUSED)
  await page.keyboard.press('Enter')
  await expect.poll(focused).toMatch(/^Insert/)
  await page.keyboard.press('Home')
  await expect.poll(focused).toMatch(/^Insert before/)
  await page.keyboard.press('Enter')
}

/** The form whose editor is open, as it is stored. */
async function storedForm({ one }: ConsoleRig, page: Page): Promise<Form> {
  const [id = ''] = /form_\w+/.exec(page.url()) ?? []
  return (await one.test.admin.get<{ form: Form }>(`/forms/${id}?include=status,version`)).body.form
}

/** A form is built and put in order by keyboard alone, and published. @returns what is published */
export async function buildForm(rig: ConsoleRig): Promise<Form> {
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
    .poll(async () => (await storedForm(rig, page)).fields.map(({ type }) => type))
    .toEqual(['checkbox', 'email', 'textarea'])
  await press(page, 'Publish')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Visitors can fill it in from now on').waitFor()
  await tabTo(page, 'Cancel')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await storedForm(rig, page)).status).toBe('published')
  const form = await storedForm(rig, page)
  expect(complaints).toEqual([])
  await close()
  return form
}

/** An article is written with its preview, published, translated, changed, and restored. */
export async function publishArticle(rig: ConsoleRig): Promise<void> {
  const articleOf = async (page: Page): Promise<Article> => {
    const [id = ''] = /art_\w+/.exec(page.url()) ?? []
    return (await rig.one.test.admin.get<{ data: Article }>(`/help/articles/${id}`)).body.data
  }
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
}
