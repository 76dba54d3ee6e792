import { expect, test } from 'vitest'
import { loggedInBefore, makeOperator, PASSWORD, setRole } from '#testkit/areas/console.ts'
import { makeForm } from '#testkit/areas/forms.ts'
import { makeCourse } from '#testkit/areas/lms.ts'
import { registerEndpoint } from '#testkit/areas/webhooks.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { SOON } from '#testkit/soon.ts'
import { FOCUSED, tabTo } from '../elements/demo-rig.ts'
import { assertFits } from './pages.ts'
import { withConsole } from './rig.ts'

// What many screens have in common: forms, questions, tables.

const rig = withConsole()

describeWithBrowser('forms of the console', () => {
  const openMember = async (fields: object) => {
    const { id } = await rig.one.test.makeMember(fields)
    const opened = await rig.openAt(`members/${id}`)
    await opened.page.getByRole('button', { name: 'Edit' }).click()
    return { id, dialog: opened.page.getByRole('dialog'), ...opened }
  }

  test('a refused value is shown on its field, which takes the focus', async () => {
    const { page, dialog, close } = await openMember({ full_name: 'Ada Lovelace' })
    await dialog.getByLabel('Role').fill('Not a role!')
    await dialog.getByLabel('Name').press('Enter')
    await expect.poll(() => dialog.getByLabel('Role').getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Role')
    await dialog.getByLabel('Role').fill('editor')
    expect(await dialog.getByLabel('Role').getAttribute('aria-invalid')).toBeNull()
    await close()
  })

  test('where two operators change the same field, the second one chooses, and each other change stays', async () => {
    const { id, dialog, close } = await openMember({ full_name: 'Ada Lovelace' })
    await dialog.getByLabel('Name').fill('Ada Byron')
    await rig.one.test.admin.patch(`/members/${id}`, { full_name: 'Ada King', status: 'inactive' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    const load = dialog.getByRole('button', { name: 'Load the change' })
    await load.waitFor()
    expect(await load.isDisabled()).toBe(true)
    await dialog.getByLabel('Keep mine: Ada Byron').check()
    await load.click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await rig.one.test.admin.get<{ data: object }>(`/members/${id}`)
    expect(body.data).toMatchObject({ full_name: 'Ada Byron', status: 'inactive' })
    await close()
  })

  test('a name without a space stays inside a screen and its questions, also on a telephone', async () => {
    const plan = await rig.one.test.makePlan({ name: `<b>${'W'.repeat(100)}${Date.now()}` })
    const { page, close } = await rig.openAt(`plans/${plan.id}`, { width: 390 })
    for (const name of ['Edit', 'Delete the plan']) {
      await page.getByRole('button', { name }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('heading').waitFor()
      expect(await dialog.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    const course = await makeCourse(rig.one.test, { title: `<b>${'W'.repeat(190)}` })
    await page.goto(page.url().replace(/plans.*/, `courses/${course.id}/lessons/${course.lessons[0]?.id}`))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await assertFits(page, 'lesson')
    const { id } = await makeForm(rig.one.test, {
      fields: [{ id: 'a', label: `<b>${'W'.repeat(110)}`, type: 'text' }],
    })
    await page.goto(page.url().replace(/courses.*/, `forms/${id}/edit`))
    await page.getByRole('button', { name: 'Send' }).waitFor()
    await assertFits(page, 'builder of forms')
    await close()
  })

  test('a list whose order matters stays while it is not yet known what the operator may do', async () => {
    const { id } = await makeForm(rig.one.test, { fields: [{ id: 'a', label: 'Your boat', type: 'text' }] })
    const { page, complaints, close } = await rig.openAt('forms')
    const seen = Promise.withResolvers<void>()
    await page.route(/\/console\/api\/projects(\?|$)/, async (route) => {
      await seen.promise
      await route.continue()
    })
    await page.goto(page.url().replace(/forms.*/, `forms/${id}/edit`))
    await page.getByRole('grid').getByText('Your boat').waitFor()
    seen.resolve()
    await page.getByRole('button', { name: 'Move Your boat' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('what was typed is offered after a reload, and is gone once it is saved', async () => {
    const { id, page, dialog, close } = await openMember({ full_name: 'Grace' })
    await dialog.getByLabel('Name').fill('Grace Hopper')
    page.on('dialog', (asked) => asked.accept())
    await page.reload()
    const edit = page.getByRole('button', { name: 'Edit' })
    await edit.click()
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Grace')
    await dialog.getByRole('button', { name: 'Go on with the draft' }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    await edit.click()
    await dialog.getByLabel('Name').waitFor()
    expect(await dialog.getByRole('button', { name: 'Go on with the draft' }).count()).toBe(0)
    const { body } = await rig.one.test.admin.get<{ data: object }>(`/members/${id}`)
    expect(body.data).toMatchObject({ full_name: 'Grace Hopper' })
    await close()
  })

  test('a form with changes asks before it is closed, and Escape keeps them', async () => {
    const { page, dialog, close } = await openMember({ full_name: 'Joan' })
    await dialog.getByLabel('Name').fill('Joan Clarke')
    await page.keyboard.press('Escape')
    const question = page.getByRole('heading', { name: 'There are changes that are not saved' })
    // Keys go where the focus is, which comes a moment after what is shown.
    const titleOfFocus = () =>
      page.evaluate("document.activeElement?.closest('[role=dialog]')?.querySelector('h2')?.textContent")
    await expect.poll(titleOfFocus, SOON).toMatch(/^There are changes/)
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Joan Clarke')
    await expect.poll(titleOfFocus, SOON).toMatch(/^Edit/)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Joan', exact: true }).waitFor()
    await close()
  })

  test('a refused item of a list is shown on that item', async () => {
    const { page, close } = await rig.openAt('webhooks')
    await page.getByRole('main').getByRole('button', { name: 'Create a webhook' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('https://example.com/hooks')
    await dialog.getByRole('button', { name: 'Add: Events' }).click()
    await dialog.getByLabel('Events 2', { exact: true }).fill('no such event')
    await dialog.getByRole('button', { name: 'Create the webhook' }).click()
    await expect
      .poll(() => dialog.getByLabel('Events 2', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    expect(await dialog.getByLabel('Events 1', { exact: true }).getAttribute('aria-invalid')).toBeNull()
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Events 2')
    await dialog.getByLabel('Events 2', { exact: true }).fill('order.paid')
    await dialog.getByRole('button', { name: 'Remove: Events 1' }).click()
    await dialog.getByRole('button', { name: 'Create the webhook' }).click()
    await dialog.getByRole('heading', { name: 'The webhook is made' }).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row', { name: /example\.com.*order\.paid/ }).waitFor()
    await close()
  })
})

describeWithBrowser('questions and acts of the console', () => {
  test('an act is taken back by keyboard, and the focus returns to where it was', async () => {
    const { id } = await registerEndpoint(rig.one.test)
    const { page, close } = await rig.openAt(`webhooks/${id}`)
    const isEnabled = async () =>
      (await rig.one.test.admin.get<{ data: { enabled: boolean } }>(`/webhooks/${id}`)).body.data.enabled
    await page.getByRole('button', { name: 'Disable' }).press('Enter')
    await page.getByRole('status').getByText('The webhook was disabled').waitFor()
    expect(await isEnabled()).toBe(false)
    await page.getByRole('button', { name: 'Enable', exact: true }).focus()
    await tabTo(page, 'Undo')
    await page.keyboard.press('Enter')
    await page.getByText('Taken back: The webhook was disabled').waitFor()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    expect(await isEnabled()).toBe(true)
    await expect.poll(() => page.evaluate('document.activeElement === document.body')).toBe(false)
    await close()
  })

  test('what many lose is done only after its verb was typed', async () => {
    const { id } = await registerEndpoint(rig.one.test)
    const { page, close } = await rig.openAt(`webhooks/${id}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('To go on, type: Delete').fill('Remove')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is another text').waitFor()
    expect((await rig.one.test.admin.get(`/webhooks/${id}`)).status).toBe(200)
    await dialog.getByLabel('To go on, type: Delete').fill('delete')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor()
    expect((await rig.one.test.admin.get(`/webhooks/${id}`)).status).toBe(404)
    await close()
  })

  test('an act that cannot be undone asks for the password again, and goes on by itself after it', async () => {
    const second = await makeOperator(rig.api)
    await setRole(rig.api, rig.one.live.projectId, second.id, 'owner')
    const { page, close } = await rig.openAt('team', { who: rig.owner })
    await loggedInBefore(rig.api, rig.owner.id, '11 minutes')
    const remove = page.getByRole('button', { name: `Remove ${second.email}` })
    await remove.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    const proof = page.getByRole('dialog', { name: 'Prove that it is you' })
    await proof.getByLabel('Password').fill(PASSWORD)
    await proof.getByLabel('Password').press('Enter')
    await expect.poll(() => page.getByText(second.email).count()).toBe(0)
    const { body } = await rig.owner.call<{ data: { id: string }[] }>(
      'GET',
      `/projects/${rig.one.project.id}/team`,
    )
    expect(body.data.map(({ id }) => id)).not.toContain(second.publicId)
    await close()
  })
})
