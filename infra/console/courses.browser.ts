import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { FOCUSED, tabTo } from '../elements/demo-rig.ts'
import { withConsole } from './rig.ts'

// From an empty course to a certificate, as an operator makes it.

const rig = withConsole()

/** Presses Enter on what has this name. */
async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

/** Fills the field that has the focus. */
async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await expect.poll(() => page.evaluate(FOCUSED)).toBe(label)
  await page.keyboard.type(text)
}

/** Goes into the outline, and there by arrows to a row. */
async function toRow(page: Page, title: string): Promise<void> {
  const outline = page.getByRole('treegrid', { name: 'Outline' })
  const row = outline.getByRole('row', { name: title })
  for (let i = 0; i < 80; i++) {
    if (await row.evaluate((each) => each === document.activeElement)) return
    // A button of a row is left to its row; rows are gone through by arrows.
    const at = await outline.evaluate((each) => {
      const focused = document.activeElement
      return !each.contains(focused) ? 'outside' : focused?.getAttribute('role') === 'row' ? 'row' : 'inside'
    })
    if (at === 'outside') await page.keyboard.press('Tab')
    else if (at === 'inside') await page.keyboard.press('Shift+Tab')
    else await page.keyboard.press(i % 12 === 11 ? 'Home' : 'ArrowDown')
  }
  throw new Error(`The keyboard does not lead to the row of ${title}`)
}

async function addModule(page: Page, title: string): Promise<void> {
  await press(page, 'Add a module')
  await typeInto(page, 'Title', title)
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: title }).waitFor()
}

const titlesOf = async (course: string) => {
  const { body } = await rig.one.test.admin.get<{
    data: { modules: { title: string; lessons: { title: string }[] }[] }
  }>(`/lms/courses/${course}`)
  return body.data.modules.map(({ title, lessons }) => [title, ...lessons.map((lesson) => lesson.title)])
}

describeWithBrowser('courses in the console', () => {
  test('a course is built by keyboard alone: modules, lessons in another order and module, and published', async () => {
    const { page, complaints, close } = await rig.openAt('courses')
    await page.getByText('There are no courses yet').waitFor()
    await press(page, 'Create a course')
    await typeInto(page, 'Title', 'Frame looms')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Frame looms', level: 1 }).waitFor()
    const course = page.url().split('/').at(-1) ?? ''
    await addModule(page, 'The loom')
    await addModule(page, 'The cloth')
    for (const [module, lesson] of [
      ['The loom', 'Warping'],
      ['The loom', 'Parts'],
    ] as const) {
      await toRow(page, module)
      await press(page, `Add a lesson to ${module}`)
      await typeInto(page, 'Title', lesson)
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: lesson, level: 1 }).waitFor()
      await press(page, 'Frame looms')
      await page.getByRole('row', { name: lesson }).waitFor()
    }
    // By buttons, and by the keys of drag and drop.
    await toRow(page, 'Parts')
    await press(page, 'Move Parts up')
    await page.getByText('“Parts” is now lesson 1 of 2 in “The loom”').waitFor()
    await toRow(page, 'Warping')
    await press(page, 'Move Warping')
    await expect.poll(() => page.evaluate(FOCUSED)).toContain('Insert')
    for (let i = 0; i < 8 && !String(await page.evaluate(FOCUSED)).includes('The cloth'); i++)
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByText('“Warping” is now lesson 1 of 1 in “The cloth”').waitFor()
    await expect
      .poll(() => titlesOf(course))
      .toEqual([
        ['The loom', 'Parts'],
        ['The cloth', 'Warping'],
      ])
    await press(page, 'Publish')
    await page.getByRole('dialog').getByText('It has 2 lessons').waitFor()
    await press(page, 'Publish the course')
    await page.getByText('published', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })
})
