import { expect, test } from 'vitest'
import { callConsole, makeOperator, setRole } from '#testkit/areas/console.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { SOON } from '#testkit/soon.ts'
import { runCurl } from './codes.ts'
import { changeSetting } from './flows/audit.ts'
import { withConsole } from './rig.ts'

// Settings of a project, its mails, its audit log, and what concerns the whole of it.

describeWithBrowser('settings in the console', () => {
  const rig = withConsole(async ({ api, one }) => {
    await one.test.admin.post('/payment-accounts', { provider: 'manual', name: 'Bank' })
    // Without a worker no mail is made.
    await api.owner.query(
      `insert into mails (project_id, id, mail, to_address, to_name, state, attempts, smtp_response, finished_at)
       values ($1, gen_random_uuid(), 'invitation', 'invited@example.com', '', 'sent', 1, '250 Accepted', now())`,
      [one.test.projectId],
    )
  })

  test('a setting is changed by keyboard alone, and the audit log says what it was and what it is', async () => {
    await changeSetting(rig)
  })

  test('what a form of settings sends is shown as code that does the same, and so is what was done', async () => {
    const { page, complaints, close } = await rig.openAt('settings/community')
    const env = { ...process.env, GUILDHALL_OPERATOR: rig.admin.accessToken }
    const shown = page.getByRole('dialog').getByLabel('curl', { exact: true })
    const threshold = page.getByLabel('Reports that hide a post')
    const form = page.locator('form').filter({ has: threshold })
    await threshold.fill('9')
    await form.getByRole('button', { name: 'Show as code' }).click()
    const change = (await shown.textContent()) ?? ''
    await page.keyboard.press('Escape')
    const outcome = await runCurl(change, env)
    expect('printed' in outcome && JSON.parse(outcome.printed).data).toMatchObject({ report_threshold: 9 })
    await page.reload()
    await threshold.fill('8')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    await page.locator('main header').getByRole('button', { name: 'Show as code' }).click()
    await page
      .getByLabel('Request')
      .selectOption({ label: `Done: PATCH /projects/${rig.one.project.id}/settings/test` })
    await expect.poll(() => shown.textContent()).toContain('"report_threshold": 8')
    expect(complaints).toEqual([])
    await close()
  })

  test('what two operators change in the settings is merged by field, and asked about only where it is the same field', async () => {
    const { page, complaints, close } = await rig.openAt('settings/community')
    const path = `/projects/${rig.one.project.id}/settings/test`
    const elsewhere = (body: object) =>
      callConsole<{ data: Record<string, unknown> }>(rig.api, 'PATCH', path, {
        key: rig.admin.accessToken,
        body,
      })
    const threshold = page.getByLabel('Reports that hide a post')
    const form = page.locator('form').filter({ has: threshold })
    await threshold.fill('11')
    await elsewhere({ billing_url: 'https://example.com/billing' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    await threshold.fill('12')
    await elsewhere({ report_threshold: 13 })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('11 → 13').waitFor()
    const saved = async () => (await elsewhere({})).body.data
    expect(await saved()).toMatchObject({ report_threshold: 13, billing_url: 'https://example.com/billing' })
    await form.getByLabel('Keep mine: 12').check()
    await form.getByRole('button', { name: 'Load the change' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Saved', { exact: true }).waitFor()
    expect(await saved()).toMatchObject({ report_threshold: 12 })
    expect(complaints.filter((text) => !text.includes('412'))).toEqual([])
    await close()
  })

  test('what a setting may not be is said at its field, which takes the focus', async () => {
    const { page, close } = await rig.openAt('settings/log-in')
    await page.getByRole('button', { name: 'Add: Allowed origins' }).click()
    await page.getByRole('textbox', { name: 'Allowed origins 1' }).fill('example.com/path')
    await page.getByRole('button', { name: 'Save' }).first().click()
    const field = page.getByRole('textbox', { name: 'Allowed origins 1' })
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('aria-invalid')")).toBe('true')
    await page.getByText(/^must be .*origin/).waitFor()
    await field.fill('https://example.com')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await close()
  })

  test('texts of a mail are changed beside the mail as members see it, and go back to the default', async () => {
    const { page, complaints, close } = await rig.openAt('settings/mail/templates/verify_email')
    await page.getByLabel('Heading').fill('Welcome to {{project}}, friend')
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: /Welcome to .*, friend/ }).waitFor()
    // The styles of the mail are there, though the console allows none in attributes.
    const size = await frame.locator('h1').evaluate((heading) => getComputedStyle(heading).fontSize)
    expect(size).toBe('22px')
    await page.getByLabel('Subject').fill('Hello {{nobody}}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').filter({ hasText: 'nobody' }).first().waitFor()
    await page.getByLabel('Subject').fill('Hello')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Hello', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Back to the default texts' }).click()
    await page.getByRole('heading', { name: 'Hello', exact: true }).waitFor({ state: 'detached' })
    expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
    await close()
  })

  test('texts of mails that two operators change at once are both kept, and merged by field where it is the same mail', async () => {
    const { page, complaints, close } = await rig.openAt('settings/mail/templates/reset_password')
    const { admin } = rig.one.test
    const templates = async () =>
      (await admin.get<{ data: { name: string; subject: string; heading: string }[] }>('/mail/templates'))
        .body.data
    // All mails have one ETag: a change of another mail is none of this form.
    await page.getByLabel('Subject').fill('A new password')
    await admin.patch('/mail/templates', { magic_link: { subject: 'Come in' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'A new password', exact: true }).waitFor()

    await page.getByLabel('Subject').fill('Your new password')
    await admin.patch('/mail/templates', { reset_password: { subject: 'Theirs', heading: 'By them' } })
    await page.getByRole('button', { name: 'Save' }).click()
    const conflict = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this' })
    await conflict.getByText('By them').waitFor()
    await conflict.getByLabel('Keep mine: Your new password').check()
    await conflict.getByRole('button', { name: 'Load the change' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Your new password', exact: true }).waitFor()
    expect(await templates()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'magic_link', subject: 'Come in' }),
        expect.objectContaining({
          ...{ name: 'reset_password', subject: 'Your new password', heading: 'By them' },
        }),
      ]),
    )
    expect(complaints.filter((each) => !each.includes('412'))).toEqual([])
    await close()
  })

  test('an address that a mail server refused is found, and mails go to it again', async () => {
    const { rows } = await rig.api.owner.query<{ id: string }>(
      `insert into mail_suppressions (project_id, id, address, mail_id, smtp_response)
       select project_id, gen_random_uuid(), 'nobody@example.com', id, '550 No such user' from mails
       where to_address = 'invited@example.com' returning id`,
    )
    expect(rows.length).toBe(1)
    const { page, complaints, close } = await rig.openAt('mails')
    await page.getByRole('link', { name: 'Suppressed addresses' }).click()
    const row = page.getByRole('row').filter({ hasText: 'nobody@example.com' })
    await row.getByText('550 No such user').waitFor()
    await row.getByRole('button', { name: 'Send to it again' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Send to it again' }).press('Enter')
    await page.getByText('No address is suppressed').waitFor()
    const { body } = await rig.one.test.admin.get<{ data: unknown[] }>('/mail/suppressions')
    expect(body.data).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  test('a mail shows what it looks like, and a copy of it goes to the operator', async () => {
    const { page, complaints, close } = await rig.openAt('mails?search=invited')
    await page.getByRole('link', { name: 'invited@example.com' }).click()
    await page.frameLocator('iframe').getByRole('heading').first().waitFor()
    await page.getByRole('button', { name: 'Send a copy to me' }).click()
    await page.getByText(rig.admin.email).first().waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('a viewer reads settings, and sees no form, no mails and no audit log', async () => {
    const { page, close } = await rig.openAt('settings/general', { who: rig.viewer })
    await page.getByText('Time zone').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.goto(page.url().replace('general', 'audit-log'))
    await page.getByText('Owners and admins of the project see the audit log').waitFor()
    await page.goto(page.url().replace('settings/audit-log', 'mails'))
    await page.getByText('Owners and admins of the project see mails').waitFor()
    await page.goto(page.url().replace('mails', 'settings/danger'))
    await page.getByText('Owners of the project hand it over').waitFor()
    await close()
  })

  test('a project is made with the settings of another one, suspended, resumed, deleted by its name, and restored', async () => {
    const chief = await makeOperator(rig.api, { administrator: true })
    const { page, close } = await rig.openAt('settings/danger', { who: rig.owner })
    await rig.owner.call('PATCH', `/projects/${rig.one.project.id}/settings/live`, { report_threshold: 9 })
    await page.getByRole('link', { name: 'Projects' }).click()
    await page.getByRole('button', { name: 'Create a project' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('A second project')
    await page.getByRole('dialog').getByLabel('Settings').selectOption({ index: 1 })
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.getByRole('heading', { name: 'General', exact: true }).waitFor()
    const id = /proj_\w+/.exec(page.url())?.[0] ?? ''
    const { body } = await rig.owner.call<{ data: { report_threshold: number } }>(
      'GET',
      `/projects/${id}/settings/live`,
    )
    expect(body.data.report_threshold).toBe(9)
    await chief.call('POST', `/projects/${id}/suspend`, {})
    await page.goto(`${rig.api.url}/console/${id}/test/settings/danger`)
    await page.getByText('This project is suspended').waitFor()
    await chief.call('POST', `/projects/${id}/resume`)
    await page.reload()
    await page.getByRole('button', { name: 'Delete the project' }).click()
    await page.getByText('0 members of the live side').waitFor()
    await page.getByLabel('To go on, type: A second project').fill('A second')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('This is another text').waitFor()
    await page.getByLabel('To go on, type: A second project').fill('A second project')
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('heading', { name: 'Your projects' }).waitFor()
    await page.getByRole('link', { name: 'A second project' }).click()
    await page.getByRole('button', { name: 'Restore the project' }).click()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('button', { name: 'Delete the project' }).waitFor()
    await close()
  })

  test('an administrator sets a limit and gives it back to the tier, suspends the project and resumes it', async () => {
    const chief = await makeOperator(rig.api, { administrator: true })
    await setRole(rig.api, rig.one.live.projectId, chief.id, 'viewer')
    const { page, close } = await rig.openAt('settings/danger', { who: chief })
    const { id } = rig.one.project
    const limit = async () => {
      const { body } = await chief.call<{ data: { rate_limit: number | null }[] }>(
        'GET',
        `/projects/${id}/limits`,
      )
      return body.data.map(({ rate_limit }) => rate_limit)
    }
    const before = await limit()
    const field = page.getByLabel('Requests a minute of each key')
    await field.fill('77')
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await expect.poll(limit, SOON).toEqual([before[0], 77])
    await page.reload()
    await expect.poll(() => field.inputValue(), SOON).toBe('77')
    await field.fill('')
    await page.getByRole('button', { name: 'Save', exact: true }).last().click()
    await expect.poll(limit, SOON).toEqual([before[0], null])
    await page.getByRole('button', { name: 'Export the project' }).click()
    await page.getByLabel('Passphrase').fill('too short')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page
      .getByText(/at least 12/i)
      .nth(1)
      .waitFor()
    await page.getByLabel('Passphrase').fill('a passphrase of the tests')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    // No worker runs here.
    await page.getByText(/set DATABASE_OWNER_URL for the workers/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('No other installation is known').waitFor()
    await rig.api.owner.query(
      "insert into cells (name, url, secret) values ('eu-2', 'https://eu-2.example', 'x')",
    )
    await page.reload()
    await page.getByRole('button', { name: 'Check the move' }).click()
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText(/set DATABASE_OWNER_URL, CELL_NAME and CELL_ENVIRONMENTS/).waitFor()
    await page.keyboard.press('Escape')
    await rig.api.owner.query(
      "insert into owner_workers (seen_at, cells) values (now(), '{eu-2}') on conflict (only_one) do update set seen_at = now(), cells = '{eu-2}'",
    )
    await page.getByRole('button', { name: 'Move the project' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(rig.one.project.name)
    await page.getByRole('dialog').getByRole('button', { name: 'Move the project' }).click()
    const moves = page.getByRole('table', { name: 'Moves of the project' })
    await moves.getByText('Queued').waitFor()
    await rig.api.owner.query(
      `update requested_moves set state = 'done', ended_at = now(),
         report = '{"method": "replication", "hold_ms": 758, "rows": 1204, "tables": 118, "files": 2, "bytes": 900}'`,
    )
    await moves.getByText('1,204 rows; writes waited for 0.8 s').waitFor()
    await rig.api.owner.query('delete from cells')
    const state = async () => (await rig.one.live.admin.get('/members')).status
    await page.getByRole('button', { name: 'Suspend the project' }).click()
    await page.getByRole('button', { name: 'Suspend', exact: true }).click()
    await page.getByRole('button', { name: 'Resume the project' }).waitFor()
    await expect.poll(state, SOON).toBe(403)
    await page.getByRole('button', { name: 'Resume the project' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Resume the project' }).click()
    await page.getByRole('button', { name: 'Suspend the project' }).waitFor()
    await expect.poll(state, SOON).toBe(200)
    await close()
  })
})
