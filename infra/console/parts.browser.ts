import { expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { FOCUSED } from '../elements/demo-rig.ts'
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
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor()
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
    await page.getByRole('heading', { name: 'There are changes that are not saved' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Joan Clarke')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Joan', exact: true }).waitFor()
    await close()
  })
})
