import { expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import {
  type Community,
  decideQueue,
  type Made,
  makeCommunity,
  makeItem,
  makeReported,
  moveFeedback,
} from './flows/community.ts'
import { withConsole } from './rig.ts'

let community: Community
const rig = withConsole(async (made) => {
  community = await makeCommunity(made)
})
const admin = () => rig.one.test.admin

describeWithBrowser('the community in the console', () => {
  test('the queue is decided by keyboard alone; a decision is taken back before it is sent', async () => {
    await decideQueue(community)
  })

  test('a decision that waits to be taken back is sent before a log-out', async () => {
    const id = await makeReported(community, 'Cheap clocks')
    const { page, close } = await rig.openAt('moderation')
    const post = page.getByRole('listitem').filter({ hasText: 'Cheap clocks' }).first()
    await post.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('button', { name: 'Log out' }).first().click()
    await page.getByRole('heading', { name: 'Log in to Guildhall' }).waitFor()
    const { body } = await rig.one.test.admin.get<{ data: { target_id: string }[] }>(
      '/moderation/queue?status=resolved',
    )
    expect(body.data.map((each) => each.target_id)).toContain(id)
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
    await page.getByRole('main').getByRole('button', { name: 'Test the text' }).click()
    await page.getByText('The post would wait for a moderator.').waitFor()
    await community.author.client.post('/discussions', {
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
    await moveFeedback(community)
  })

  test('a thread is read as a tree; an answer is marked and a comment removed with a reason', async () => {
    const { body } = await community.author.client.post<{ discussion: Made }>('/discussions', {
      ...{ title: 'Planning', content: 'How do you plan?', category: 'general' },
    })
    const write = async (content: string, parent_id?: string) =>
      (
        await community.author.client.post<{ comment: Made }>(`/discussions/${body.discussion.id}/comments`, {
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
    const [id, other] = [
      await makeItem(community, 'Offline reading'),
      await makeItem(community, 'Read while offline'),
    ]
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
