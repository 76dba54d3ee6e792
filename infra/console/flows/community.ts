import { expect } from 'vitest'
import type { Client } from '#testkit/factories.ts'
import { FOCUSED, tabTo } from '../../elements/demo-rig.ts'
import type { ConsoleRig } from '../rig.ts'

/** What a POST has made. */
export interface Made {
  readonly id: string
}

/** Who writes and who reports, on the test side of the project. */
export interface Community {
  readonly rig: ConsoleRig
  /** The id of a member. */
  readonly reporter: string
  readonly author: { readonly id: string; readonly client: Client }
}

/** Makes what the flows of the community need. */
export async function makeCommunity(rig: ConsoleRig): Promise<Community> {
  const side = rig.one.test
  await side.admin.post('/discussion-categories', { name: 'General' })
  const { id: reporter } = await side.makeMember({ email: 'reporter@example.com' })
  const { id } = await side.makeMember({ email: 'author@example.com' })
  const { token } = await side.signIn(id)
  return { rig, reporter, author: { id, client: side.as(token) } }
}

/** A discussion that a member has reported. */
export async function makeReported({ rig, author, reporter }: Community, title: string): Promise<string> {
  const { body } = await author.client.post<{ discussion: Made }>('/discussions', {
    ...{ title, content: `**${title}** for you`, category: 'general' },
  })
  const { id } = body.discussion
  const report = { target_id: id, reason: 'spam', member_id: reporter }
  const { status } = await rig.one.test.admin.post('/reports', report)
  expect(status).toBe(201)
  return id
}

/** An item of feedback. */
export async function makeItem({ rig }: Pick<Community, 'rig'>, title: string): Promise<string> {
  const { body } = await rig.one.test.admin.post<{ feedback: Made }>('/feedback', {
    ...{ type: 'feature', title, message: `${title}, please` },
  })
  return body.feedback.id
}

/** The queue is decided by keyboard alone; a decision is taken back before it is sent. */
export async function decideQueue(community: Community): Promise<void> {
  const { rig } = community
  const { admin } = rig.one.test
  const statusOf = async (id: string) =>
    (await admin.get<{ data: { status: string } }>(`/discussions/${id}`)).body.data.status
  const [first, second] = [
    await makeReported(community, 'Cheap watches'),
    await makeReported(community, 'A fair question'),
  ]
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
  const { body } = await admin.get<{ data: { reason: string | null }[] }>('/moderation/queue?status=resolved')
  expect(body.data.map(({ reason }) => reason).toSorted()).toEqual(['Advertising', null])
  expect(complaints).toEqual([])
  await close()
}

/** Feedback is moved on the board by keyboard alone, and says how many voters are told. */
export async function moveFeedback(community: Community): Promise<void> {
  const { rig, reporter } = community
  const { admin } = rig.one.test
  const id = await makeItem(community, 'Dark mode')
  await admin.put(`/feedback/${id}/vote`, { member_id: reporter })
  const { page, complaints, close } = await rig.openAt('roadmap')
  await page.getByRole('button', { name: 'Move Dark mode' }).focus()
  await page.keyboard.press('Enter')
  const column = page.getByRole('button', { name: /Items: Planned/ })
  const isReached = () => column.evaluate((node) => node === node.ownerDocument.activeElement)
  for (let i = 0; i < 12 && !(await isReached()); i++) await page.keyboard.press('Tab')
  expect(await isReached()).toBe(true)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Move to “planned”?' }).waitFor()
  await dialog.getByText('Up to 1 member gets a mail').waitFor()
  await page.keyboard.type('In spring')
  await tabTo(page, 'Move')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('region', { name: 'Planned' }).getByText('Dark mode').waitFor()
  const { body } = await admin.get<{ data: object }>(`/feedback/${id}`)
  expect(body.data).toMatchObject({ status: 'planned', status_note: 'In spring' })
  expect(complaints).toEqual([])
  await close()
}
