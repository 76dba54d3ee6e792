import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from '@simplewebauthn/server'
import { decodeJwt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright-core'
import type { NewCredential, ShownCredential } from '#areas/auth/passkeys/schema.ts'
import type { Client, Side } from '../../factories.ts'
import { type Authenticator, addAuthenticator } from '../../servers/browser.ts'
import type { Site } from './site.ts'

/** What the endpoints of logging in answer, as far as tests look at it. */
export interface LoginBody {
  code?: string
  mfa_token?: string
  factors?: { type: string }[]
  session?: { access_token: string; refresh_token: string }
  data: { id: string; secret: string }
}

export const PASSWORD = 'correct horse battery'

/** The claims about whoever has logged in. */
export const claimsOf = (body: LoginBody) => decodeJwt(body.session?.access_token ?? '')

export const beginPasskey = async (member: Client) =>
  (await member.post<{ data: CreationOptions }>('/auth/passkeys/options', {})).body.data

export const registerPasskey = (member: Client, credential: NewCredential) =>
  member.post<LoginBody>('/auth/passkeys/register', { name: 'Laptop', credential })

export const beginPasskeyLogin = async (side: Side) =>
  (await side.admin.post<{ data: RequestOptions }>('/auth/passkeys/login/options', {})).body.data

export const logInByPasskey = (side: Side, credential: ShownCredential, mfa_token?: string) =>
  side.admin.post<LoginBody>('/auth/passkeys/login', { credential, ...(mfa_token && { mfa_token }) })

const run = <T>(page: Page, name: string, options: object) =>
  page.evaluate<T>(`${name}(${JSON.stringify(options)})`)

/** Has a page of a site make a passkey, or answer for one. */
export const createPasskey = (page: Page, options: CreationOptions) =>
  run<NewCredential>(page, 'createPasskey', options)
export const showPasskey = (page: Page, options: RequestOptions) =>
  run<ShownCredential>(page, 'showPasskey', options)

interface OpenPage {
  readonly page: Page
  readonly authenticator: Authenticator
}

/** A page of a site, in a browser with an authenticator of its own. */
export async function openPasskeyPage(browser: Browser, site: Site, options = {}): Promise<OpenPage> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(site.origin)
  return { page, authenticator: await addAuthenticator(page, options) }
}

/** A member with a passkey in a browser's authenticator. */
export interface Enrolled extends OpenPage {
  readonly memberId: string
  readonly email: string
  /** Requests of the session that has added it. */
  readonly member: Client
  readonly credential: NewCredential
  /** The passkey's id. */
  readonly id: string
  /** Logs in by it. */
  logIn(mfaToken?: string): ReturnType<typeof logInByPasskey>
}

export async function enrollPasskey(
  browser: Browser,
  side: Side,
  site: Site,
  { verifiesUser = true } = {},
): Promise<Enrolled> {
  const { page, authenticator } = await openPasskeyPage(browser, site, { verifiesUser })
  const { id: memberId, email } = await side.makeMember({ password: PASSWORD })
  const member = side.as((await side.signIn(memberId)).token)
  const credential = await createPasskey(page, await beginPasskey(member))
  const { id } = (await registerPasskey(member, credential)).body.data
  // Chromium looks for passkeys by itself only where the authenticator checks who holds it; others have to be named.
  const named = verifiesUser ? {} : { allowCredentials: [{ id: credential.id, type: 'public-key' as const }] }
  const logIn = async (mfaToken?: string) => {
    const options = { ...(await beginPasskeyLogin(side)), ...named }
    return logInByPasskey(side, await showPasskey(page, options), mfaToken)
  }
  return { page, authenticator, memberId, email, member, credential, id, logIn }
}

/** Gives a member an authenticator app. */
export async function enrollApp(member: Client): Promise<void> {
  const { id, secret } = (await member.post<LoginBody>('/auth/mfa/totp', {})).body.data
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await member.post('/auth/mfa/totp/verify', { factor_id: id, code })
}
