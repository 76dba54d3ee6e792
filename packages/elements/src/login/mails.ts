import {
  type Guildhall,
  GuildhallError,
  type LogInResponse,
  type SignUpAnswer,
} from '../../../sdk/src/guildhall.ts'
import { challengeFor, verifierOf } from './browser-proof.ts'

/** What a mail with a code is for. */
export type Mailed = 'magicLink' | 'email' | 'reset'

interface Destination {
  readonly redirect_url?: string
  readonly code_challenge?: string
}

/** The log-ins that go by a mail, of one address. */
export class Mails {
  readonly #open: Guildhall
  readonly #email: string
  readonly #redirect: string
  readonly #maySignUp: boolean

  /** @param redirect the page to which links in mails lead */
  constructor(open: Guildhall, email: string, redirect: string, maySignUp: boolean) {
    this.#open = open
    this.#email = email
    this.#redirect = redirect
    this.#maySignUp = maySignUp
  }

  /** Has a mail sent. */
  async send(mailed: Mailed): Promise<void> {
    const { magicLink, email, password } = this.#open.auth
    await this.#leadingHere(async (more): Promise<unknown> => {
      const body = { email: this.#email, ...more }
      if (mailed === 'email') return email.resend(body)
      if (mailed === 'reset') return password.forgot(body)
      return magicLink.request({ ...body, create_member: this.#maySignUp })
    })
  }

  /** @returns a session, or null where a mail asks for the confirmation of the address */
  signUp(password: string, fullName: string | undefined): Promise<SignUpAnswer> {
    const account = { email: this.#email, password, ...(fullName && { full_name: fullName }) }
    return this.#leadingHere((more) => this.#open.auth.signup({ ...account, ...more }))
  }

  /** Sends the code of a mail. @param password the new one, of a reset */
  confirm(mailed: Mailed, code: string, password: string): Promise<LogInResponse> {
    const verifier = verifierOf('mail')
    const proof = { email: this.#email, code, ...(verifier !== undefined && { code_verifier: verifier }) }
    const { magicLink, email, password: passwords } = this.#open.auth
    if (mailed === 'reset') return passwords.reset({ ...proof, password })
    return (mailed === 'email' ? email : magicLink).verify(proof)
  }

  /** Where the project does not allow this page as a destination, the code of the mail works all the same. */
  async #leadingHere<T>(send: (more: Destination) => Promise<T>): Promise<T> {
    const challenge = await challengeFor('mail')
    const more = challenge === undefined ? {} : { code_challenge: challenge }
    try {
      return await send({ ...more, redirect_url: this.#redirect })
    } catch (error) {
      const details = error instanceof GuildhallError ? error.details : []
      if (!details.some(({ field }) => field === 'redirect_url')) throw error
      console.warn(`guildhall-login: the project does not allow the redirect URL ${this.#redirect}`)
      return send(more)
    }
  }
}
