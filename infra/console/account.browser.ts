import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { loggedInBefore, logInOperator, makeOperator, PASSWORD, setRole } from '#testkit/areas/console.ts'
import { describeWithBrowser } from '#testkit/servers/browser.ts'
import { assertFits } from './pages.ts'
import { withConsole } from './rig.ts'

// The operator's own account: how it is protected, and where it is logged in.

describeWithBrowser('the account of an operator', () => {
  const rig = withConsole()

  const openAccount = async () => {
    const who = await makeOperator(rig.api)
    await setRole(rig.api, rig.one.live.projectId, who.id, 'owner')
    const opened = await rig.openAt('team', { who })
    await opened.page.goto(`${rig.api.url}/console/account`)
    await opened.page.getByRole('heading', { name: 'Your account' }).waitFor()
    return { ...opened, who }
  }

  test('an authenticator app is added with its recovery codes, and is asked for over what cannot be undone', async () => {
    const { page, who, close } = await openAccount()
    await page.getByRole('button', { name: 'Add an authenticator app' }).click()
    const key = await page.getByRole('dialog').locator('code').textContent()
    const app = new TOTP({ secret: Secret.fromBase32((key ?? '').replaceAll(' ', '')) })
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('alert').first().waitFor()
    await page.getByLabel('Code', { exact: true }).fill(app.generate())
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
    expect(codes).toHaveLength(10)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByRole('cell', { name: 'Authenticator app' }).first().waitFor()

    await loggedInBefore(rig.api, who.id, '11 minutes')
    await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test/settings/danger`)
    await page.getByRole('button', { name: 'Delete the project' }).click()
    await page.getByLabel(/To go on, type/).fill(rig.one.project.name)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const proof = page.getByRole('dialog').filter({ hasText: 'Prove that it is you' })
    expect(await proof.getByLabel('Password').count()).toBe(0)
    await proof.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'Your projects' }).waitFor()
    await who.call('POST', `/projects/${rig.one.project.id}/restore`)
    await close()
  })

  test('a passkey of the browser is added, and confirms in place of the password', async () => {
    const { page, who, close } = await openAccount()
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true },
      },
    })
    // Passkeys are of a name, and not of an address.
    await page.goto(page.url().replace('127.0.0.1', 'localhost'))
    await page.getByLabel('Email address').fill(who.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByLabel('Password').press('Enter')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await page.getByRole('button', { name: 'Go on' }).click()
    await page.getByRole('cell', { name: 'Laptop', exact: true }).waitFor()
    await loggedInBefore(rig.api, who.id, '11 minutes')
    await page.goto(`${new URL(page.url()).origin}/console/${rig.one.project.id}/test/settings/danger`)
    await page.getByRole('button', { name: 'Delete the project' }).click()
    await page.getByLabel(/To go on, type/).fill(rig.one.project.name)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm by passkey' }).click()
    await page.getByRole('heading', { name: 'Your projects' }).waitFor()
    await who.call('POST', `/projects/${rig.one.project.id}/restore`)
    await close()
  })

  test('a wrong password is said at its field and ends no session; other sessions end together', async () => {
    const { page, who, close } = await openAccount()
    await logInOperator(rig.api, who.email)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByLabel('Present password').fill('not the password')
    await page.getByLabel('New password').fill('another password of an operator')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('The current password is wrong').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'End all other sessions' }).click()
    await page.getByRole('button', { name: 'End', exact: true }).last().click()
    await expect.poll(() => page.getByRole('button', { name: /^End the session/ }).count()).toBe(0)
    await page.getByText('This session').waitFor()
    await close()
  })

  test('the screens of an operator have no fault that axe finds, and none is wider than a telephone', async () => {
    const { page, complaints, close } = await openAccount()
    await page.setViewportSize({ width: 390, height: 800 })
    for (const path of ['account', 'projects']) {
      await page.goto(`${rig.api.url}/console/${path}`)
      await assertFits(page, path)
    }
    await page.goto(`${rig.api.url}/console/account`)
    await page.getByLabel('Theme').selectOption('dark')
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(complaints).toEqual([])
    await close()
  })

  test('somebody who does nothing is warned a minute before, stays by a press, and is then logged out with the screen hidden', async () => {
    await rig.owner.call('PATCH', `/projects/${rig.one.project.id}/security`, { idle_minutes: 5 })
    const { page, close } = await openAccount()
    await page.clock.install()
    await page.goto(`${rig.api.url}/console/${rig.one.project.id}/test/settings/general`)
    await page.getByText('Time zone').waitFor()
    await page.clock.runFor(4 * 60_000 + 2_000)
    const warning = page.getByRole('dialog', { name: 'Are you still there?' })
    await warning.getByRole('button', { name: 'Stay logged in' }).click()
    await page.clock.runFor(3 * 60_000)
    expect(await warning.count()).toBe(0)
    await page.clock.runFor(2 * 60_000 + 2_000)
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    expect(await page.getByText('Time zone').isVisible()).toBe(false)
    await rig.owner.call('PATCH', `/projects/${rig.one.project.id}/security`, { idle_minutes: null })
    await close()
  })
})
