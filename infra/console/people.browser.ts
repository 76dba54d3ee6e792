import { expect, test } from 'vitest'
import { PASSWORD } from '#testkit/areas/console.ts'
import { makeOrder } from '#testkit/areas/money/shop.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { tabTo } from '../elements/demo-rig.ts'
import { assertFits } from './pages.ts'
import { withConsole } from './rig.ts'

// Members, what belongs to them and what is done with them, invitations, and ways to log in.

let ada: { readonly id: string; readonly email: string }
let buyer: string

const rig = withConsole(async ({ one }) => {
  ada = await one.test.makeMember({ email: 'ada@example.com', full_name: 'Ada Lovelace' })
  const { id } = await makeOrder(one.test)
  const { body } = await one.test.admin.get<{ data: { member_id: string } }>(`/shop/orders/${id}`)
  buyer = body.data.member_id
  await one.test.admin.patch(`/members/${ada.id}`, { full_name: 'Ada King' })
})

describeWithBrowser('members in the console', () => {
  test('the timeline of a member names the cause of each entry and leads to it', async () => {
    const { page, complaints, close } = await rig.openAt(`members/${ada.id}`)
    await page.getByRole('link', { name: 'Timeline' }).click()
    const updated = page.getByRole('listitem').filter({ hasText: 'member.updated' })
    await updated.getByRole('link', { name: /^[\w-]{20,}$/ }).click()
    await page.getByRole('heading', { name: /PATCH/ }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('each view of a member fits a telephone and has no fault that axe finds', async () => {
    const { page, complaints, close } = await rig.openAt(`members/${buyer}`, { width: 390 })
    const at = page.url()
    for (const view of [
      '',
      '/timeline',
      '/orders',
      '/subscriptions',
      '/credit',
      '/submissions',
      '/mails',
      '/files',
      '/sessions',
    ]) {
      await page.goto(`${at}${view}`)
      await page.getByRole('navigation', { name: 'What belongs to the member' }).waitFor()
      await assertFits(page, view)
    }
    expect(complaints).toEqual([])
    await close()
  })

  test('an operator gives a member credit and takes some, and sees the balance before it changes', async () => {
    const { id } = await rig.one.test.makeMember({})
    await rig.one.test.admin.post(`/members/${id}/credit`, { amount: 5, currency: 'eur', reason: 'Before' })
    const { page, complaints, close } = await rig.openAt(`members/${id}/credit`)
    await page.getByText('Credit: €5.00. The next bills use it.').waitFor()
    await page.getByRole('button', { name: 'Give or take credit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('2,50')
    await dialog.getByLabel('Reason').fill('A day without service')
    await dialog.getByText('The balance is €5.00 now, and €7.50 after it.').waitFor()
    await dialog.getByRole('button', { name: 'Give credit' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row').filter({ hasText: 'A day without service' }).waitFor()
    // More than the balance is refused, and the dialog stays.
    await page.getByRole('button', { name: 'Give or take credit' }).click()
    await dialog.getByLabel('What happens').selectOption('take')
    await dialog.getByLabel('Amount').fill('8')
    await dialog.getByLabel('Reason').fill('Too much')
    await dialog.getByRole('button', { name: 'Take credit' }).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Amount').fill('7.5')
    await dialog.getByRole('button', { name: 'Take credit' }).click()
    await dialog.waitFor({ state: 'detached' })
    const { body } = await rig.one.test.admin.get<{ balances: unknown[] }>(`/members/${id}/credit`)
    expect(body.balances).toEqual([])
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
    await close()
  })

  test('an operator logs in as a member: the token reads and changes no password, and the act is in the audit log', async () => {
    const { id, email } = await rig.one.test.makeMember({})
    const { page, complaints, close } = await rig.openAt(`members/${id}`)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Log in as this member' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('the member is told by mail').waitFor()
    await dialog.getByLabel('Reason').fill('A lost order')
    await dialog.getByRole('button', { name: 'Log in' }).click()
    await dialog.getByRole('heading', { name: `Logged in as ${email}` }).waitFor()
    const member = rig.one.test.as((await dialog.locator('pre').first().textContent()) ?? '')
    expect((await member.get('/user/profile')).status).toBe(200)
    const refused = await member.patch<{ code: string }>('/user/profile', { full_name: 'Another' })
    expect([refused.status, refused.body.code]).toEqual([403, 'OPERATOR_SESSION'])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto(page.url().replace(/members.*/, `settings/audit-log?target=${id}`))
    await page
      .getByRole('row')
      .filter({ hasText: 'member.log_in_as' })
      .filter({ hasText: 'A lost order' })
      .waitFor()
    const told = await rig.api.owner.query<{ mail: string }>('select mail from mails where to_address = $1', [
      email,
    ])
    expect(told.rows.map(({ mail }) => mail)).toContain('operator_logged_in')
    expect(complaints).toEqual([])
    await close()
  })

  test('fields of its own are added to a member and taken away', async () => {
    const { id } = await rig.one.test.makeMember({ metadata: { company: 'Engines', seat: 4 } })
    const { page, complaints, close } = await rig.openAt(`members/${id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByLabel('Metadata').fill('{"company": "Looms"}')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Looms').waitFor()
    const { body } = await rig.one.test.admin.get<{ data: { metadata: object } }>(`/members/${id}`)
    expect(body.data.metadata).toEqual({ company: 'Looms' })
    expect(complaints).toEqual([])
    await close()
  })

  test('a plan with a price says what it costs before it is given', async () => {
    const plan = await rig.one.test.makePlan({
      name: 'Gold',
      price: 12.5,
      currency: 'eur',
      interval: 'month',
    })
    const { page, complaints, close } = await rig.openAt(`members/${ada.id}`)
    await page.getByRole('button', { name: 'Change plan' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New plan').selectOption(plan.id)
    await dialog.getByText('A subscription begins, with a first bill of €12.50').waitFor()
    await dialog.getByLabel('How').selectOption('free')
    await dialog.getByText('Nothing is charged for it').waitFor()
    await dialog.getByRole('button', { name: 'Change plan' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Gold' }).first().waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a member is deleted by keyboard alone, and only by who types the address', async () => {
    const { id, email } = await rig.one.test.makeMember({ email: 'gone@example.com' })
    const { page, complaints, close } = await rig.openAt(`members/${id}`)
    await page.getByRole('button', { name: 'More' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete the member' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Orders that are kept: 0').waitFor()
    await page.keyboard.type('somebody@example.com')
    await page.keyboard.press('Enter')
    await dialog.getByText('This is not the address of the member').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(email)
    await tabTo(page, 'Delete')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Members', exact: true }).waitFor()
    expect((await rig.one.test.admin.get(`/members/${id}`)).status).toBe(404)
    await page.getByLabel('Deleted', { exact: true }).selectOption('true')
    await page.getByRole('button', { name: `Restore ${email}` }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await rig.one.test.admin.get(`/members/${id}`)).status).toBe(200)
    expect(complaints).toEqual([])
    await close()
  })

  test('somebody is invited; a wrong address is said on its field; the invitation is withdrawn', async () => {
    const { page, close } = await rig.openAt('invitations')
    await page.getByRole('button', { name: 'Invite' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('nobody@localhost')
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await expect.poll(() => dialog.getByLabel('Email address').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByLabel('Email address').fill('new@example.com')
    await dialog.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByRole('row', { name: /new@example.com/ }).waitFor()
    await page.getByRole('button', { name: 'Withdraw the invitation to new@example.com' }).click()
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('row', { name: /new@example.com.*revoked/ }).waitFor()
    await close()
  })

  test('a viewer sees nothing that changes a member, and no sessions', async () => {
    const { page, complaints, close } = await rig.openAt(`members/${ada.id}`, { who: rig.viewer })
    await page.getByRole('heading', { name: 'Ada King' }).waitFor()
    for (const name of ['Edit', 'Change plan', 'More'])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Sessions' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await close()
  })
})

describeWithBrowser('ways to log in', () => {
  test('who cannot sign up is told so, and each way has its own form', async () => {
    const { page, close } = await rig.open()
    await page.getByRole('button', { name: 'Sign up to Guildhall' }).click()
    await page.getByLabel('Email address').fill('stranger@example.com')
    await page.getByLabel('New password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await page.getByText('Nobody can sign up to this console').waitFor()
    await page.getByRole('button', { name: 'Set a new password' }).click()
    await page.getByLabel('Email address').fill(rig.admin.email)
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByLabel('Code of the mail').fill('000000')
    await page.getByLabel('New password').fill('another password of an operator')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('alert').waitFor()
    await page.goto(`${rig.api.url}/console?way=invitation`)
    await page.getByLabel('Code of the mail').waitFor()
    await assertFits(page, 'invitation')
    await close()
  })
})
