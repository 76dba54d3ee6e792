import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { beginAttempt, enroll, makeQuiz, WRONG } from '#testkit/areas/lms.ts'
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

  test('a quiz is changed with its faults on their fields, a member is enrolled, fails it, and is graded by an operator', async () => {
    const { test: side } = rig.one
    const { course, lesson, quiz } = await makeQuiz(side)
    const { id: member } = await side.makeMember({ full_name: 'Ada Lovelace' })
    const { page, complaints, close } = await rig.openAt(`courses/${course.id}/lessons/${lesson.id}/quiz`)
    await page.getByLabel('Pass mark in percent').fill('200')
    await page.getByRole('button', { name: 'Save the quiz' }).click()
    await expect.poll(() => page.getByLabel('Pass mark in percent').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Pass mark in percent').fill('50')
    await page.getByRole('button', { name: 'Add a question' }).click()
    const added = page.getByRole('group', { name: 'Question 2' })
    await added.getByLabel('Text', { exact: true }).fill('How many grams?')
    await added.getByLabel('Answer').selectOption('number')
    await added.getByLabel('Right number').fill('50')
    await page.getByRole('button', { name: 'See it as a learner' }).click()
    await page.getByRole('dialog').getByText('How many grams?').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Save the quiz' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const at = page.url().replace(/lessons.*/, '')
    await page.goto(`${at}enrollments`)
    await page.getByRole('button', { name: 'Enroll a member' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search members').fill('lovelace')
    await expect.poll(() => dialog.getByLabel('Member', { exact: true }).locator('option').count()).toBe(2)
    await dialog.getByLabel('Member', { exact: true }).selectOption(member)
    await dialog.getByRole('button', { name: 'Enroll', exact: true }).click()
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor()
    const { id } = await beginAttempt(side, quiz.id, member)
    await side.admin.post(`/lms/attempts/${id}/submit`, WRONG, { headers: { 'x-user-id': member } })
    await page.getByRole('link', { name: 'Ada Lovelace' }).click()
    await page.getByRole('row', { name: 'Quiz 1 submitted 0 % no' }).waitFor()
    await page.getByText('quiz not passed').waitFor()
    await page.getByRole('button', { name: 'Mark Quiz as completed' }).click()
    await dialog.getByRole('button', { name: 'Mark as completed' }).click()
    await page.getByText('There is no certificate yet').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Download the PDF' }).waitFor()
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
    await close()
  })

  test('two operators edit one lesson: what the other one changed is shown by field, and nothing is lost', async () => {
    const { course, lesson } = await makeQuiz(rig.one.test)
    const path = `courses/${course.id}/lessons/${lesson.id}`
    const [first, second] = [await rig.openAt(path), await rig.openAt(path, { who: rig.owner })]
    const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
    await first.page.getByLabel('Title', { exact: true }).fill('Warping, by Ada')
    await first.page.getByLabel('Duration in minutes').fill('12')
    await second.page.getByLabel('Title', { exact: true }).fill('Warping, by Grace')
    await second.page.getByLabel('Content', { exact: true }).fill('Take **two** hands.')
    await save(second.page)
    await second.page.getByRole('status').getByText('Saved').waitFor()
    await save(first.page)
    const conflict = first.page.getByRole('alert').filter({ hasText: 'Somebody else has changed this' })
    await conflict.getByText('Take **two** hands.').waitFor()
    expect(await conflict.getByRole('listitem').count()).toBe(2)
    // Both have changed the title: it is chosen before anything goes on.
    const load = conflict.getByRole('button', { name: 'Load the change' })
    expect(await load.isDisabled()).toBe(true)
    await conflict.getByLabel('Keep mine: Warping, by Ada').check()
    await load.click()
    expect(await first.page.getByLabel('Content', { exact: true }).inputValue()).toBe('Take **two** hands.')
    await save(first.page)
    await first.page.getByRole('status').getByText('Saved').waitFor()
    const { body } = await rig.one.test.admin.get<{ data: object }>(`/lms/lessons/${lesson.id}`)
    expect(body.data).toMatchObject({
      ...{ title: 'Warping, by Ada', content: 'Take **two** hands.', duration_minutes: 12 },
    })
    expect([...first.complaints, ...second.complaints].filter((each) => !each.includes('412'))).toEqual([])
    await Promise.all([first.close(), second.close()])
  })

  test('what is typed while a lesson is saved stays, and does not overwrite what somebody else saves after that', async () => {
    const { course, lesson } = await makeQuiz(rig.one.test)
    const { page, close } = await rig.openAt(`courses/${course.id}/lessons/${lesson.id}`)
    const { admin } = rig.one.test
    const at = `/lms/lessons/${lesson.id}`
    const hold = Promise.withResolvers<void>()
    await page.route(`**/api/v1${at}`, async (route) => {
      if (route.request().method() === 'PATCH') await hold.promise
      await route.continue()
    })
    const save = page.getByRole('button', { name: 'Save', exact: true })
    await page.getByLabel('Title', { exact: true }).fill('Warping')
    await save.click()
    await page.getByLabel('Duration in minutes').fill('5')
    hold.resolve()
    await page.getByRole('heading', { name: 'Warping', level: 1 }).waitFor()
    expect(await page.getByLabel('Duration in minutes').inputValue()).toBe('5')
    await admin.patch(at, { duration_minutes: 9 })
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this' })
    await expect.poll(() => save.getAttribute('data-pending')).toBe(null)
    await save.click()
    await conflict.waitFor()
    expect((await admin.get<{ data: object }>(at)).body.data).toMatchObject({
      ...{ title: 'Warping', duration_minutes: 9 },
    })
    await close()
  })

  test('two operators write one quiz: the second one sees what the first one has saved before it is replaced', async () => {
    const { lesson, course } = await makeQuiz(rig.one.test)
    const { page, close } = await rig.openAt(`courses/${course.id}/lessons/${lesson.id}/quiz`)
    await page.getByLabel('Pass mark in percent').fill('70')
    await page.getByLabel('Attempts', { exact: true }).fill('5')
    const { admin } = rig.one.test
    const at = `/lms/lessons/${lesson.id}/quiz`
    const { questions } = (await admin.get<{ data: { questions: object[] } }>(at)).body.data
    await admin.put(at, { pass_percentage: 60, time_limit_seconds: 600, questions })
    await page.getByRole('button', { name: 'Save the quiz' }).click()
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this' })
    await conflict.getByLabel('Keep mine: 70').check()
    await conflict.getByRole('button', { name: 'Load the change' }).click()
    expect(await page.getByLabel('Time limit in minutes').inputValue()).toBe('10')
    await page.getByRole('button', { name: 'Save the quiz' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await admin.get<{ data: object }>(at)).body.data).toMatchObject({
      ...{ pass_percentage: 70, max_attempts: 5, time_limit_seconds: 600 },
    })
    await close()
  })

  test('a module and the settings of a course are merged too, faults stand on their fields, and what follows is said first', async () => {
    const { course } = await makeQuiz(rig.one.test)
    await enroll(rig.one.test, course.id)
    const { page, close } = await rig.openAt(`courses/${course.id}`)
    const { admin } = rig.one.test
    const [module] = (await admin.get<{ data: { modules: { id: string }[] } }>(`/lms/courses/${course.id}`))
      .body.data.modules
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Mine')
    await admin.patch(`/lms/modules/${module?.id}`, { description: 'Theirs' })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText('Theirs').waitFor()
    await dialog.getByRole('button', { name: 'Load the change' }).click()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'Mine' }).getByText('Theirs').waitFor()

    await page.getByRole('link', { name: 'Settings', exact: true }).last().click()
    await page.getByLabel('Slug').fill('Not a slug')
    await page.getByText(/by the feature course:.* open it no longer/).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => page.getByLabel('Slug').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.evaluate(FOCUSED)).toContain('Slug')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByLabel('Places').fill('0')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(() => page.getByLabel('Places').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Places').fill('5')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('status').getByText('Saved').waitFor()
    const { body } = await admin.get<{ data: object }>(`/lms/courses/${course.id}`)
    expect(body.data).toMatchObject({ capacity: 5 })
    await close()
  })

  test('a viewer sees a course and who is enrolled, and no button that changes them', async () => {
    const { course, lesson } = await makeQuiz(rig.one.test)
    await enroll(rig.one.test, course.id)
    const { page, close } = await rig.openAt(`courses/${course.id}`, { who: rig.viewer })
    const acts = page.getByRole('main').getByRole('button', {
      name: /Publish|Archive|Delete|Add|Edit|Remove|Move|Enroll|Save|Mark|Cancel|Change/,
    })
    const at = page.url()
    for (const [path, shown] of [
      ['', lesson.title],
      ['/settings', 'Courses that come first'],
      ['/enrollments', 'active'],
      [`/lessons/${lesson.id}`, 'Content'],
      [`/lessons/${lesson.id}/quiz`, 'Question 1'],
    ] as const) {
      await page.goto(`${at}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText(shown).filter({ visible: true }).first().waitFor()
      expect([path, await acts.count()]).toEqual([path, 0])
    }
    await close()
  })
})
