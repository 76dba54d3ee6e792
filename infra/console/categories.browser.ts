import { expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { withConsole } from './rig.ts'

// The categories of discussions and of the help center, which two operators change at once.

const rig = withConsole()

describeWithBrowser('categories in the console', () => {
  test.each([
    ['discussion-categories', '/discussion-categories', { position: 7 }],
    ['help/categories', '/help/categories', { icon: 'loom' }],
  ] as const)(
    '%s: what somebody else changed meanwhile stays, and the same field is asked about',
    async (screen, path, more) => {
      const { admin } = rig.one.test
      const { page, complaints, close } = await rig.openAt(screen)
      const dialog = page.getByRole('dialog')
      await page.getByRole('button', { name: 'Create a category' }).click()
      const name = dialog.getByLabel('Name', { exact: true })
      await dialog.getByRole('button', { name: 'Create', exact: true }).click()
      await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true')
      await name.fill('Looms')
      await dialog.getByLabel('Slug').fill('looms')
      await dialog.getByRole('button', { name: 'Create', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })

      const edit = page.getByRole('button', { name: 'Edit Looms' })
      await edit.click()
      await name.waitFor()
      // What was read a moment ago is not read again.
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await edit.click()
      await name.fill('My looms')
      const at = `${path}/${await idOf(path)}`
      await admin.patch(at, { name: 'Their looms', description: 'By them', ...more })
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      const conflict = dialog.getByRole('alert').filter({ hasText: 'Somebody else has changed this' })
      await conflict.getByText('By them').waitFor()
      await conflict.getByLabel('Keep mine: My looms').check()
      await conflict.getByRole('button', { name: 'Load the change' }).click()
      expect(await dialog.getByLabel('Description').inputValue()).toBe('By them')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await dialog.waitFor({ state: 'detached' })
      expect((await admin.get<{ data: object }>(at)).body.data).toMatchObject({
        ...{ name: 'My looms', slug: 'looms', description: 'By them', ...more },
      })
      expect(complaints.filter((each) => !each.includes('412'))).toEqual([])
      await close()
    },
  )

  test('who loses sight of discussions is said before the plans of their category change', async () => {
    const { admin, makeMember } = rig.one.test
    const plan = (
      await admin.post<{ data: { id: string } }>('/plans', {
        ...{ name: 'Gold', slug: 'gold', price: 5, currency: 'eur', interval: 'month' },
      })
    ).body.data
    await admin.post('/discussion-categories', { name: 'Knots', slug: 'knots' })
    const author_id = (await makeMember({})).id
    await admin.post('/discussions', { title: 'A knot', content: 'Which?', category: 'knots', author_id })
    const { page, complaints, close } = await rig.openAt('discussion-categories')
    await page.getByRole('button', { name: 'Edit Knots' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'Gold' }).check()
    await dialog.getByText('This changes who sees 1 discussion, at once.').waitFor()
    await dialog.getByRole('checkbox', { name: 'Gold' }).uncheck()
    expect(await dialog.getByText('This changes who sees').count()).toBe(0)
    await dialog.getByRole('checkbox', { name: 'Gold' }).check()
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'Knots' }).getByText('Plans: Gold').waitFor()
    const { data } = (await admin.get<{ data: object[] }>('/discussion-categories')).body
    expect(data).toContainEqual(expect.objectContaining({ slug: 'knots', required_plans: [plan.id] }))
    expect(complaints).toEqual([])
    await close()
  })
})

/** The id of the first category of a list, whatever its answer calls the list. */
async function idOf(path: string): Promise<string> {
  const { body } = await rig.one.test.admin.get<Record<string, unknown>>(path)
  const [first] = Object.values(body).find(Array.isArray) as { id: string }[]
  return first?.id ?? ''
}
