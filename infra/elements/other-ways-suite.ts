import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { startOidcServer } from '#testkit/servers/oidc-provider.ts'
import { type DemoRig, PASSWORD } from './demo-rig.ts'
import { heading, logIn, press, type Visit } from './visitor.ts'

const NEW_PASSWORD = 'another horse battery'

/** The rig of the file that runs the suite. */
type FindRig = () => DemoRig

/** What people do less often. */
export function testOtherWays(rig: FindRig, visit: Visit): void {
  testOtherLogIns(rig, visit)
  testPasswords(rig, visit)
  testPaymentsAndIdeas(rig, visit)
}

/** A member with a password and a confirmed address. */
async function makeConfirmed({ side, mails }: DemoRig, email: string): Promise<string> {
  const { id } = await side.makeMember({ email, password: PASSWORD })
  await mails.sql('update members set email_verified_at = now() where email = $1', [email])
  return id
}

function testOtherLogIns(rig: FindRig, visit: Visit): void {
  test('the people of an organization log in there, also from the form for passwords, and somebody who does not is told so', async () => {
    const provider = await startOidcServer()
    const { issuer, clientId: client_id, clientSecret: client_secret } = provider
    const connection = await rig().side.admin.post<{ data: { callback_url: string } }>('/sso-connections', {
      ...{ type: 'oidc', name: 'Acme', issuer, client_id, client_secret },
      ...{ domains: ['acme.example'], required: true },
    })
    provider.redirectUris.add(connection.body.data.callback_url)
    provider.people.set('ada', { email: 'ada@acme.example', email_verified: true, name: 'Ada' })
    const { page, complaints, close } = await visit()
    const leave = async (login: string) => {
      await press(page, 'Continue with Acme')
      await page.getByLabel('Name').fill(login)
      await press(page, 'Continue')
      await page.waitForURL(`${rig().origin}/**`)
    }
    await heading(page, 'Log in')
    expect(await page.getByRole('button', { name: 'Continue with Acme' }).count()).toBe(0)
    await page.getByLabel('Email').fill('ada@acme.example')
    await page.getByLabel('Password').focus()
    await leave('')
    await page.getByText('The log-in by your organization did not succeed (access_denied).').waitFor()
    await logIn(page, 'ada@acme.example')
    await heading(page, 'Log in by your organization')
    await page.getByText('People with this address log in by their organization.').waitFor()
    await leave('ada')
    await heading(page, 'You are logged in')
    await page.getByText('As ada@acme.example').waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
    await close()
    await provider.close()
  })

  test('somebody who has lost the app logs in by a recovery code, which works once', async () => {
    const email = 'rita@elements.example'
    const { token } = await rig().side.signIn(await makeConfirmed(rig(), email))
    const member = rig().side.as(token)
    const { body } = await member.post<{ data: { id: string; secret: string } }>('/auth/mfa/totp', {})
    const app = new TOTP({ secret: Secret.fromBase32(body.data.secret) })
    const added = await member.post<{ data: { recovery_codes: string[] } }>('/auth/mfa/totp/verify', {
      factor_id: body.data.id,
      code: app.generate(),
    })
    const [code = ''] = added.body.data.recovery_codes
    const { page, close } = await visit()
    const enter = async () => {
      await logIn(page, email)
      await press(page, 'Use a recovery code')
      await page.getByLabel('Recovery code').fill(code)
      await press(page, 'Continue')
    }
    await enter()
    await heading(page, 'You are logged in')
    await press(page, 'Log out')
    await enter()
    await page.getByText('This code is wrong or has expired.').waitFor()
    await press(page, 'Use the authenticator app')
    await page.getByLabel('Code of the app').waitFor()
    await close()
  })
}

function testPasswords(rig: FindRig, visit: Visit): void {
  test('a forgotten password is set anew by the code of a mail', async () => {
    const email = 'fay@elements.example'
    await makeConfirmed(rig(), email)
    const { page, close } = await visit()
    await press(page, 'Forgot your password?')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await press(page, 'Send the mail')
    await page.getByLabel('Code of 6 digits').fill('000000')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await press(page, 'Set the password and log in')
    await page.getByText('This code is wrong or has expired.').waitFor()
    await page.getByLabel('Code of 6 digits').fill((await rig().mails.mailTo(email)).code)
    await press(page, 'Set the password and log in')
    await heading(page, 'You are logged in')
    await press(page, 'Log out')
    await logIn(page, email)
    await page.getByText('The address or the password is wrong.').waitFor()
    await logIn(page, email, NEW_PASSWORD)
    await heading(page, 'You are logged in')
    await close()
  })

  test('a long address does not widen a page on a telephone', async () => {
    const { page, close } = await visit('/', { width: 390 })
    await press(page, 'Send me a link by email')
    const address = `${'a'.repeat(60)}@${'b'.repeat(60)}.example`
    await page.getByRole('textbox', { name: 'Email' }).fill(address)
    await press(page, 'Send the mail')
    await page.getByText(address).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    await close()
  })

  test('a member changes the password and the address, and chooses what comes by mail', async () => {
    const email = 'nia@elements.example'
    const id = await makeConfirmed(rig(), email)
    const { token: elsewhere } = await rig().side.signIn(id)
    const { page, complaints, close } = await visit()
    await logIn(page, email)
    await heading(page, 'You are logged in')
    await page.goto(`${rig().origin}/account`)
    await page.getByLabel('Current password').fill('not this one at all')
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await press(page, 'Change the password')
    await page.getByText('The address or the password is wrong.').waitFor()
    await page.getByLabel('Current password').fill(PASSWORD)
    await press(page, 'Change the password')
    await page.getByText('The password is changed.').first().waitFor()
    expect((await rig().side.as(elsewhere).get('/auth/me')).status).toBe(401)

    await page.getByLabel('Likes: Here').uncheck()
    await page.getByLabel('Likes: By mail').selectOption('weekly')
    await expect
      .poll(async () => (await rig().side.admin.get(`/notifications/preferences?member_id=${id}`)).body)
      .toMatchObject({ data: { like: { in_product: false, mail: 'weekly' } } })

    await page.getByLabel('Email').fill('nia.new@elements.example')
    await press(page, 'Save')
    await page.getByText('Confirm the new address by the mail').first().waitFor()
    await page.goto((await rig().mails.mailTo('nia.new@elements.example')).link)
    await page.getByRole('button').first().click()
    await expect
      .poll(async () => (await rig().side.admin.get(`/members/${id}`)).body)
      .toMatchObject({ data: { email: 'nia.new@elements.example' } })
    expect(complaints).toEqual([])
    await close()
  })
}

function testPaymentsAndIdeas(rig: FindRig, visit: Visit): void {
  test('the page of the site gets the payment of a bill', async () => {
    const { side } = rig()
    const { id: member_id } = await side.makeMember()
    const { id: plan_id } = await side.makePlan({
      name: 'Mate',
      price: 12,
      currency: 'eur',
      interval: 'month',
    })
    const made = await side.admin.post<{ data: { bill: { id: string } } }>('/subscriptions', {
      member_id,
      plan_id,
    })
    const { page, complaints, close } = await visit('/account', { member: member_id })
    await page.evaluate(
      `addEventListener('guildhall:payment', ({ detail }) => (document.title = detail.bill.id + ' ' + typeof detail.payment.status))`,
    )
    await page.getByRole('button', { name: /^Pay bill/ }).click()
    await page.getByText('The payment is under way.').first().waitFor()
    expect(await page.title()).toBe(`${made.body.data.bill.id} string`)
    expect(complaints).toEqual([])
    await close()
  })

  test('a visitor sends an idea, which is shown, and a fault, which is not', async () => {
    const { page, complaints, close } = await visit('/feedback')
    await press(page, 'Write something')
    await press(page, 'Send')
    await page.getByText('Please fill this in.').first().waitFor()
    await page.getByLabel('In a few words').fill('A café on board')
    await page.getByLabel('Tell us more').fill('With tea.')
    await page.getByLabel('Email').fill('guest@elements.example')
    await press(page, 'Send')
    await page.getByText('Thank you! We have received it.').waitFor()
    await page.getByRole('heading', { name: 'A café on board' }).waitFor()
    await press(page, 'Write something')
    await page.getByLabel('What is it?').selectOption('bug')
    await page.getByLabel('In a few words').fill('The horn is broken')
    await page.getByLabel('Tell us more').fill('It squeaks.')
    await press(page, 'Send')
    await page.getByText('Thank you! Only we can see it.').waitFor()
    expect(await page.getByRole('heading', { name: 'The horn is broken' }).count()).toBe(0)
    const { body } = await rig().side.admin.get<{ data: object[] }>('/feedback?sort=new&limit=2')
    expect(body.data).toMatchObject([{ type: 'bug' }, { type: 'feature', email: 'guest@elements.example' }])
    expect(complaints).toEqual([])
    await close()
  })
}
