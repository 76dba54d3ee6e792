import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  beginPasskey,
  beginPasskeyLogin,
  createPasskey,
  enrollApp,
  enrollPasskey,
  type LoginBody,
  logInByPasskey,
  openPasskeyPage,
  PASSWORD,
  registerPasskey,
  showPasskey,
} from '#testkit/areas/auth/passkeys.ts'
import { type Site, startSite } from '#testkit/areas/auth/site.ts'
import { type MailEnvironment, startMailEnvironment } from '#testkit/environments/mail-environment.ts'
import type { Side } from '#testkit/factories.ts'
import { describeWithBrowser, startBrowser } from '#testkit/servers/browser.ts'
import type { ShownCredential } from './schema.ts'

let mails: MailEnvironment
let side: Side
/** A page that the project allows, and one of the same domain that it does not. */
let site: Site
let foreign: Site

beforeAll(async () => {
  mails = await startMailEnvironment()
  side = mails.one.live
  site = await startSite(mails.api.url, side.key)
  foreign = await startSite(mails.api.url, side.key)
  for (const each of [side, mails.one.test, mails.other.live])
    await mails.configure(each, { redirectUrls: [site.origin] })
})
afterAll(async () => {
  await site.close()
  await foreign.close()
  await mails.close()
})

const UNKNOWN = { status: 401, body: { code: 'INVALID_CREDENTIALS' } }
const INVALID = { status: 422, body: { code: 'INVALID_PASSKEY' } }

const someMember = async () => side.as((await side.signIn()).token)

describeWithBrowser('an answer of an authenticator', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser.close())
  const enrolled = () => enrollPasskey(browser, side, site)

  test('counts once, however many bring it at the same moment', async () => {
    const { page } = await enrolled()
    const answer = await showPasskey(page, await beginPasskeyLogin(side))
    const answers = await Promise.all(Array.from({ length: 10 }, () => logInByPasskey(side, answer)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(401)])
    expect(await logInByPasskey(side, answer)).toMatchObject(UNKNOWN)
  })

  test('is for one thing, for one member, and good for five minutes', async () => {
    const { page, member, credential } = await enrolled()
    expect(await registerPasskey(member, credential)).toMatchObject(INVALID)
    const login = await beginPasskeyLogin(side)
    // Made for adding a passkey.
    const { challenge } = await beginPasskey(member)
    expect(await logInByPasskey(side, await showPasskey(page, { ...login, challenge }))).toMatchObject(
      UNKNOWN,
    )
    // Made for logging in, and for another member.
    const options = { ...(await beginPasskey(member)), excludeCredentials: [] }
    for (const other of [login.challenge, (await beginPasskey(await someMember())).challenge]) {
      const made = await createPasskey(page, { ...options, challenge: other })
      expect(await registerPasskey(member, made)).toMatchObject(INVALID)
    }
    // Made five minutes ago.
    const late = await showPasskey(page, await beginPasskeyLogin(side))
    await mails.age('passkey_challenges', 'expires_at', 300)
    expect(await logInByPasskey(side, late)).toMatchObject(UNKNOWN)
  })

  test('for another origin adds nothing', async () => {
    const { page } = await openPasskeyPage(browser, foreign)
    const member = await someMember()
    expect(
      await registerPasskey(member, await createPasskey(page, await beginPasskey(member))),
    ).toMatchObject(INVALID)
    expect((await member.get('/auth/mfa/factors')).body).toMatchObject({ data: [] })
  })

  test('for another origin lets nobody in, though its browser signs, because the domain is the same', async () => {
    const { authenticator, logIn } = await enrolled()
    const { credentials } = await authenticator.devtools.send('WebAuthn.getCredentials', {
      authenticatorId: authenticator.id,
    })
    const thief = await openPasskeyPage(browser, foreign)
    for (const credential of credentials)
      await thief.authenticator.devtools.send('WebAuthn.addCredential', {
        authenticatorId: thief.authenticator.id,
        credential,
      })
    const stolen = await showPasskey(thief.page, await beginPasskeyLogin(side))
    expect(await logInByPasskey(side, stolen)).toMatchObject(UNKNOWN)
    expect((await logIn()).status).toBe(200)
  })

  test('for a page that the project has stopped to allow is refused from then on', async () => {
    const { logIn } = await enrolled()
    // Of the same domain, so that the options stay as they are.
    await mails.configure(side, { redirectUrls: ['http://localhost:1'] })
    expect(await logIn()).toMatchObject(UNKNOWN)
    await mails.configure(side, { redirectUrls: [site.origin] })
    expect((await logIn()).status).toBe(200)
  })

  test('that was changed is refused', async () => {
    const { page, logIn } = await enrolled()
    const decoded = (clientData: string) => Buffer.from(clientData, 'base64url').toString()
    const elsewhere = (clientData: string) =>
      Buffer.from(decoded(clientData).replace(site.origin, 'http://localhost:1')).toString('base64url')
    const changes: Record<string, (shown: ShownCredential) => ShownCredential> = {
      signature: (shown) => ({ ...shown, response: { ...shown.response, signature: 'MAYCAQECAQE' } }),
      id: (shown) => ({ ...shown, id: 'AAAA', rawId: 'AAAA' }),
      rawId: (shown) => ({ ...shown, rawId: 'AAAA' }),
      data: (shown) => ({ ...shown, response: { ...shown.response, authenticatorData: 'AAAA' } }),
      origin: (shown) => ({
        ...shown,
        response: { ...shown.response, clientDataJSON: elsewhere(shown.response.clientDataJSON) },
      }),
    }
    for (const [what, change] of Object.entries(changes)) {
      const answer = change(await showPasskey(page, await beginPasskeyLogin(side)))
      expect(await logInByPasskey(side, answer), what).toMatchObject(UNKNOWN)
    }
    expect((await logIn()).status).toBe(200)
  })

  test('from a copy of it is found out by its counter', async () => {
    const { authenticator, logIn } = await enrolled()
    const { id: authenticatorId, devtools } = authenticator
    const { credentials } = await devtools.send('WebAuthn.getCredentials', { authenticatorId })
    for (let n = 0; n < 3; n++) expect((await logIn()).status).toBe(200)
    await devtools.send('WebAuthn.clearCredentials', { authenticatorId })
    for (const credential of credentials)
      await devtools.send('WebAuthn.addCredential', { authenticatorId, credential })
    expect(await logIn()).toMatchObject(UNKNOWN)
  })

  test('with certificates is refused: nobody asked for them', async () => {
    const { page } = await openPasskeyPage(browser, site)
    const member = await someMember()
    const direct = { ...(await beginPasskey(member)), attestation: 'direct' } as const
    expect(await registerPasskey(member, await createPasskey(page, direct))).toMatchObject(INVALID)
    const asked = await createPasskey(page, await beginPasskey(member))
    expect((await registerPasskey(member, asked)).status).toBe(201)
  })

  test('is not the second factor of anybody else’s login', async () => {
    const { logIn } = await enrolled()
    const { email, id } = await side.makeMember({ password: PASSWORD })
    await enrollApp(side.as((await side.signIn(id)).token))
    const { mfa_token } = (await side.admin.post<LoginBody>('/auth/login', { email, password: PASSWORD }))
      .body
    expect(mfa_token).toBeTruthy()
    expect(await logIn(mfa_token)).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } })
  })

  test('means nothing to another project, nor to the other side of its own', async () => {
    const { page } = await enrolled()
    for (const each of [mails.other.live, mails.one.test]) {
      const theirs = await showPasskey(page, await beginPasskeyLogin(each))
      expect(await logInByPasskey(each, theirs)).toMatchObject(UNKNOWN)
    }
    const ours = await showPasskey(page, await beginPasskeyLogin(side))
    expect(await logInByPasskey(mails.other.live, ours)).toMatchObject(UNKNOWN)
  })
})
