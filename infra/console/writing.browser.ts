import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { withConsole } from './rig.ts'

// What an operator writes in the community, in the name of members.

let ada: string
const rig = withConsole(async ({ one: { test: side } }) => {
  ada = (await side.makeMember({ full_name: 'Ada Lovelace' })).id
  await side.makeMember({ full_name: 'Grace Hopper' })
  await side.admin.post('/discussion-categories', { name: 'General', slug: 'general' })
})

async function writeAs(page: Page, member: string, content: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Search members').fill(member)
  const choice = dialog.getByLabel('In the name of', { exact: true })
  await expect.poll(() => choice.locator('option').count()).toBe(2)
  await choice.selectOption({ index: 1 })
  await dialog.getByLabel('Text', { exact: true }).fill(content)
}

describeWithBrowser('writing in the console', () => {
  test('a discussion is started in the name of a member, answered in the name of another one, and its comment is changed', async () => {
    const { page, complaints, close } = await rig.openAt('discussions')
    await page.getByRole('button', { name: 'Start a discussion' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title').fill('Which loom?')
    await dialog.getByLabel('Category').selectOption('general')
    await dialog.getByLabel('Text', { exact: true }).fill('I begin.')
    // Nobody is chosen yet: the API says so on the field.
    await dialog.getByRole('button', { name: 'Start the discussion' }).click()
    await expect
      .poll(() => dialog.getByLabel('In the name of', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    await writeAs(page, 'lovelace', 'I begin with **one** loom.')
    // Who was chosen stays chosen while others are searched.
    await dialog.getByLabel('Search members').fill('hopper')
    await dialog.getByText('Chosen: Ada Lovelace').waitFor()
    await dialog.getByRole('button', { name: 'Start the discussion' }).click()
    await page.getByRole('heading', { name: 'Which loom?', level: 1 }).waitFor()
    const id = page.url().split('/').at(-1)

    await page.getByRole('button', { name: 'Write a comment' }).click()
    await writeAs(page, 'hopper', 'A frame loom.')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Reply' }).click()
    await writeAs(page, 'lovelace', 'Thanks!')
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await dialog.waitFor({ state: 'detached' })
    const comment = page.getByRole('article').filter({ hasText: 'A frame loom.' })
    await comment.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Text', { exact: true }).fill('A **large** frame loom.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('A large frame loom.').waitFor()

    const { body } = await rig.one.test.admin.get<{ data: object }>(`/discussions/${id}`)
    expect(body.data).toMatchObject({ author_id: ada, comment_count: 2 })
    // A key that writes for members has no entry; an operator who does has one, with the member.
    const { rows } = await rig.api.owner.query<{ action: string }>(
      `select action from audit_log where project_id = $1 and actor_kind = 'operator'
        and (action like '%.create') = (on_behalf_of is not null) order by created_at`,
      [rig.one.test.projectId],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      ...['discussion.create', 'comment.create', 'comment.create', 'comment.edit'],
    ])
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
    await close()
  })

  test('a locked discussion takes no comment, and a viewer writes nothing', async () => {
    const { admin } = rig.one.test
    const { body } = await admin.post<{ discussion: { id: string } }>('/discussions', {
      ...{ title: 'Locked', content: 'No more.', category: 'general', author_id: ada },
    })
    const { id } = body.discussion
    await admin.post(`/discussions/${id}/comments`, { content: 'The last one', author_id: ada })
    await admin.post(`/discussions/${id}/lock`, { locked: true })
    const writes = /^(Write|Reply|Start|Edit)/
    const opened = await rig.openAt(`discussions/${id}`)
    await opened.page.getByText('The last one').waitFor()
    const main = opened.page.getByRole('main')
    expect(await main.getByRole('button', { name: /^(Write|Reply)/ }).count()).toBe(0)
    await opened.close()
    const { page, close } = await rig.openAt('discussions', { who: rig.viewer })
    await page.getByRole('link', { name: 'Locked' }).click()
    await page.getByText('The last one').waitFor()
    expect(await page.getByRole('main').getByRole('button', { name: writes }).count()).toBe(0)
    await close()
  })

  test('a notification that is refused says why over its question, and is sent once by two presses', async () => {
    const { id } = await rig.one.test.makeMember({ full_name: 'Barbara Liskov' })
    const { page, close } = await rig.openAt('notifications')
    await page.getByLabel('Search members').fill('liskov')
    await page.getByRole('button', { name: 'Add Barbara Liskov' }).click()
    await page.getByLabel('Text', { exact: true }).fill('News')
    await page.getByLabel('Address', { exact: true }).fill('ftp://example.com')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await send.click()
    const dialog = page.getByRole('dialog')
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/notifications')) asked += 1
    })
    await dialog.getByRole('button', { name: 'Send' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByLabel('Address', { exact: true }).fill('https://example.com')
    await send.click()
    await dialog.getByRole('button', { name: 'Send' }).dblclick()
    await page.getByText('Sent to 1 member').waitFor()
    const sent = await rig.one.test.admin.get<{ data: unknown[] }>('/notifications', {
      headers: { 'x-user-id': id },
    })
    expect(sent.body.data).toHaveLength(1)
    // The refused one, and the one that was sent.
    expect(asked).toBe(2)
    await close()
  })
})
