import { expect, test } from 'vitest'
import type { Client } from '#testkit/factories.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { FOCUSED, tabTo } from '../elements/demo-rig.ts'
import { withConsole } from './rig.ts'

interface Made {
  readonly id: string
}

let reporter: string
let author: { readonly id: string; readonly client: Client }

const rig = withConsole(async ({ one: { test: side } }) => {
  await side.admin.post('/discussion-categories', { name: 'General' })
  ;({ id: reporter } = await side.makeMember({ email: 'reporter@example.com' }))
  const { id } = await side.makeMember({ email: 'author@example.com' })
  author = { id, client: side.as((await side.signIn(id)).token) }
})
const admin = () => rig.one.test.admin

/** A discussion that a member has reported. */
async function makeReported(title: string): Promise<string> {
  const { body } = await author.client.post<{ discussion: Made }>('/discussions', {
    ...{ title, content: `**${title}** for you`, category: 'general' },
  })
  const { id } = body.discussion
  const { status } = await admin().post('/reports', { target_id: id, reason: 'spam', member_id: reporter })
  expect(status).toBe(201)
  return id
}

const statusOf = async (id: string) =>
  (await admin().get<{ data: { status: string } }>(`/discussions/${id}`)).body.data.status

async function makeItem(title: string): Promise<string> {
  const { body } = await admin().post<{ feedback: Made }>('/feedback', {
    ...{ type: 'feature', title, message: `${title}, please` },
  })
  return body.feedback.id
}

describeWithBrowser('the community in the console', () => {
  test('the queue is decided by keyboard alone; a decision is taken back before it is sent', async () => {
    const [first, second] = [await makeReported('Cheap watches'), await makeReported('A fair question')]
    const { page, complaints, close } = await rig.openAt('moderation')
    await page.getByRole('heading', { name: 'Cheap watches' }).waitFor()
    await page.keyboard.press('j')
    await expect.poll(() => page.evaluate(FOCUSED)).toContain('Cheap watches')
    await page.keyboard.press('a')
    await page.getByText('1 decided, sent in a moment').waitFor()
    await page.keyboard.press('u')
    await page.getByRole('heading', { name: 'Cheap watches' }).waitFor()
    await page.keyboard.press('k')
    await expect.poll(() => page.evaluate(FOCUSED)).toContain('Cheap watches')
    await page.keyboard.press('r')
    await page.getByRole('dialog').getByLabel('Reason').waitFor()
    await page.keyboard.type('Advertising')
    await tabTo(page, 'Remove')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(FOCUSED)).toContain('A fair question')
    await page.keyboard.press('a')
    await page.getByText('Nothing waits for you here').waitFor()
    // Both are sent at once where the screen is left.
    await page.getByRole('link', { name: 'Rules', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('There are no rules yet').waitFor()
    await expect.poll(() => statusOf(first)).toBe('removed')
    expect(await statusOf(second)).toBe('visible')
    const { body } = await admin().get<{ data: { reason: string | null }[] }>(
      '/moderation/queue?status=resolved',
    )
    expect(body.data.map(({ reason }) => reason).toSorted()).toEqual(['Advertising', null])
    expect(complaints).toEqual([])
    await close()
  })

  test('a rule shows its fault on its field, judges a text, and an author is suspended', async () => {
    const { page, close } = await rig.openAt('moderation/rules')
    await page.getByRole('button', { name: 'Create a rule' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => dialog.getByLabel('Words').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Name').fill('No casino')
    await dialog.getByLabel('Words').fill('casino\nfree money')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('link', { name: 'No casino' }).waitFor()
    await page.getByRole('link', { name: 'Test a text' }).click()
    await page.getByLabel('Text', { exact: true }).fill('The best CASÍNO')
    await page.getByRole('main').getByRole('button', { name: 'Test' }).click()
    await page.getByText('The post would wait for a moderator.').waitFor()
    await author.client.post('/discussions', {
      ...{ title: 'Held', content: 'A casino', category: 'general' },
    })
    await page.getByRole('link', { name: 'Queue' }).click()
    await page.getByText('Held by rules: Words').waitFor()
    await page.getByRole('button', { name: 'History of the author' }).click()
    await page
      .getByText(/shown, \d+ removed/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Suspend the author' }).click()
    await dialog.getByLabel('Reason').fill('Gambling')
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Suspensions' }).click()
    await page.getByText('Gambling').waitFor()
    await page.getByRole('button', { name: /^End the suspension of/ }).click()
    await dialog.getByRole('button', { name: 'End it' }).click()
    await page.getByText('Nobody is suspended').waitFor()
    await close()
  })

  test('feedback is moved on the board by keyboard alone, and says how many voters are told', async () => {
    const id = await makeItem('Dark mode')
    await admin().put(`/feedback/${id}/vote`, { member_id: reporter })
    const { page, complaints, close } = await rig.openAt('roadmap')
    await page.getByRole('button', { name: 'Move Dark mode' }).focus()
    await page.keyboard.press('Enter')
    const column = page.getByRole('button', { name: /Items: planned/ })
    const isReached = () => column.evaluate((node) => node === node.ownerDocument.activeElement)
    for (let i = 0; i < 12 && !(await isReached()); i++) await page.keyboard.press('Tab')
    expect(await isReached()).toBe(true)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Move to “planned”?' }).waitFor()
    await dialog.getByText('Up to 1 members get a mail').waitFor()
    await page.keyboard.type('In spring')
    await tabTo(page, 'Move')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'planned' }).getByText('Dark mode').waitFor()
    const { body } = await admin().get<{ data: object }>(`/feedback/${id}`)
    expect(body.data).toMatchObject({ status: 'planned', status_note: 'In spring' })
    expect(complaints).toEqual([])
    await close()
  })

  test('a thread is read as a tree; an answer is marked and a comment removed with a reason', async () => {
    const { body } = await author.client.post<{ discussion: Made }>('/discussions', {
      ...{ title: 'Planning', content: 'How do you plan?', category: 'general' },
    })
    const write = async (content: string, parent_id?: string) =>
      (
        await author.client.post<{ comment: Made }>(`/discussions/${body.discussion.id}/comments`, {
          content,
          ...(parent_id !== undefined && { parent_id }),
        })
      ).body.comment.id
    const first = await write('On paper')
    const reply = await write('Me too', first)
    const removed = await write('Advertising')
    const { page, complaints, close } = await rig.openAt(`discussions/${body.discussion.id}`)
    const article = (text: string) => page.getByRole('article').filter({ hasText: text })
    await article('Me too').waitFor()
    expect(await page.locator(`article[id="${reply}"]`).count()).toBe(1)
    await article('On paper').getByRole('button', { name: 'Mark as the answer' }).click()
    await article('On paper').getByRole('button', { name: 'Not the answer' }).waitFor()
    await article('Advertising').getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Spam')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await dialog.waitFor({ state: 'detached' })
    const status = (await admin().get<{ data: { status: string } }>(`/comments/${removed}`)).body.data.status
    expect(status).toBe('removed')
    expect(complaints).toEqual([])
    await close()
  })

  test('a duplicate is merged with its effect first; a viewer sees none of this', async () => {
    const [id, other] = [await makeItem('Offline reading'), await makeItem('Read while offline')]
    const { page, close } = await rig.openAt(`feedback/${id}`)
    await page.getByRole('button', { name: 'Merge' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Search feedback').fill('while')
    await dialog.getByRole('radio', { name: /Read while offline/ }).check()
    await dialog.getByText('then has 0 to 0 votes').waitFor()
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Read while offline' }).first().waitFor()
    expect((await admin().get<{ data: object }>(`/feedback/${id}`)).body.data).toMatchObject({
      merged_into: other,
    })
    await close()
    const seen = await rig.openAt(`feedback/${id}`, { who: rig.viewer })
    await seen.page.getByRole('heading', { name: 'Offline reading', level: 1 }).waitFor()
    const buttons = seen.page
      .getByRole('main')
      .getByRole('button', { name: /Merge|merge|Delete|status|Answer/ })
    expect(await buttons.count()).toBe(0)
    await seen.close()
  })
})
