import { expect, test } from 'vitest'
import { makeQuiz } from '#testkit/areas/lms.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { withConsole } from './rig.ts'

// What one operator deletes while another one changes it is shown as it is now, before it is gone.

const rig = withConsole()

interface Deletion {
  /** Its address in the API. */
  readonly at: string
  readonly screen: string
  /** The button that asks, and the one that answers where that is called otherwise. */
  readonly buttons: readonly [asks: string, verb?: string]
  /** What somebody else makes of it. */
  readonly changes: object
  /** How the question is called then. */
  readonly title: string
}

/** The thing of an answer, whatever the answer calls it. */
const thingOf = ({ body }: { readonly body: unknown }) =>
  Object.values(body as object).find((part) => typeof part === 'object') as { readonly id: string }

/** Makes one thing of each kind that a screen deletes. */
async function makeThings(): Promise<Deletion[]> {
  const { admin } = rig.one.test
  const make = async (path: string, body: object): Promise<string> => thingOf(await admin.post(path, body)).id
  const plan = await make('/plans', { name: 'Gold', slug: 'gold', price: 5, currency: 'eur' })
  const loom = await make('/shop/products', { name: 'Loom', price: 50, currency: 'eur' })
  const yarn = await make('/shop/products', { name: 'Yarn', price: 5, currency: 'eur' })
  const red = await make(`/shop/products/${yarn}/variants`, { name: 'Red', sku: 'yarn-red' })
  const discount = await make('/shop/discounts', { code: 'SPRING', percent: 10 })
  const rule = await make('/moderation/rules', { name: 'No casino', kind: 'words', words: ['casino'] })
  const pages = await make('/member-content', { url_pattern: '/courses/**' })
  const webhook = await make('/webhooks', { url: 'https://example.com/hook', events: ['member.created'] })
  const course = await make('/lms/courses', { title: 'Weaving' })
  const module = await make(`/lms/courses/${course}/modules`, { title: 'First' })
  const { course: quiz, lesson } = await makeQuiz(rig.one.test)
  return [
    {
      ...{ at: `/plans/${plan}`, screen: `plans/${plan}` },
      ...{ buttons: ['Delete the plan'], changes: { name: 'Silver' }, title: 'Delete Silver?' },
    },
    {
      ...{ at: `/shop/products/${loom}`, screen: `products/${loom}` },
      ...{ buttons: ['Delete the product'], changes: { name: 'Mat' }, title: 'Delete Mat?' },
    },
    {
      ...{ at: `/shop/variants/${red}`, screen: `products/${yarn}/${red}` },
      ...{ buttons: ['Delete the variant'], changes: { name: 'Blue' }, title: 'Delete Blue?' },
    },
    {
      ...{ at: `/shop/discounts/${discount}`, screen: `discounts/${discount}` },
      ...{ buttons: ['Delete the discount'], changes: { code: 'SUMMER' }, title: 'Delete SUMMER?' },
    },
    {
      ...{ at: `/moderation/rules/${rule}`, screen: `moderation/rules/${rule}` },
      ...{ buttons: ['Delete'], changes: { name: 'No games' }, title: 'Delete “No games”?' },
    },
    {
      ...{ at: `/member-content/${pages}`, screen: `page-rules/${pages}` },
      ...{ buttons: ['Delete'], changes: { url_pattern: '/all/**' }, title: 'Delete the rule “/all/**”?' },
    },
    {
      ...{ at: `/webhooks/${webhook}`, screen: `webhooks/${webhook}` },
      ...{ buttons: ['Delete'], changes: { description: 'Theirs' }, title: 'Delete the webhook?' },
    },
    {
      ...{ at: `/lms/lessons/${lesson.id}`, screen: `courses/${quiz.id}` },
      ...{
        buttons: [`Remove ${lesson.title}`, 'Remove the lesson'],
        changes: { title: 'Exam' },
        title: 'Remove “Exam”?',
      },
    },
    {
      ...{ at: `/lms/modules/${module}`, screen: `courses/${course}` },
      ...{ buttons: ['Remove First', 'Remove'], changes: { title: 'Second' }, title: 'Remove “Second”?' },
    },
    {
      ...{ at: `/lms/courses/${course}`, screen: `courses/${course}` },
      ...{
        buttons: ['Delete', 'Delete the course'],
        changes: { title: 'Knitting' },
        title: 'Delete “Knitting”?',
      },
    },
  ]
}

describeWithBrowser('a deletion in the console', () => {
  test('of what somebody else has changed meanwhile is asked about again, and then goes on', async () => {
    const { admin } = rig.one.test
    const { page, complaints, close } = await rig.openAt('plans')
    const dialog = page.getByRole('dialog')
    for (const { at, screen, buttons, changes, title } of await makeThings()) {
      const [asks, verb = asks] = buttons
      await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test/${screen}`)
      await page.getByRole('main').getByRole('button', { name: asks, exact: true }).click()
      const typed = dialog.getByLabel('To go on, type: Delete')
      const confirm = async () => {
        if (screen.startsWith('webhooks')) await typed.fill('delete')
        await dialog.getByRole('button', { name: verb, exact: true }).click()
      }
      await dialog.getByRole('button', { name: verb, exact: true }).waitFor()
      await admin.patch(at, changes)
      await confirm()
      await dialog.getByRole('alert').filter({ hasText: 'You see it as it is now' }).waitFor()
      await page.getByRole('dialog', { name: title }).waitFor()
      expect(thingOf(await admin.get(at))).toMatchObject(changes)
      await confirm()
      await dialog.waitFor({ state: 'detached' })
      expect([at, (await admin.get(at)).status]).toEqual([at, 404])
    }
    expect(complaints.filter((each) => !each.includes('412'))).toEqual([])
    await close()
  })
})
