import type {
  FactorSummary,
  LogInResponse,
  Member,
  OfferedSsoConnection,
  Session,
} from '../../../sdk/src/guildhall.ts'
import { GuildhallError } from '../../../sdk/src/guildhall.ts'
import type { Connection } from '../base/connection.ts'
import { type Child, fill, h } from '../base/dom.ts'
import { button, GuildhallElement } from '../base/element.ts'
import { inWords } from '../base/errors.ts'
import { type Field, field } from '../base/fields.ts'
import { form } from '../base/form.ts'
import type { Languages } from '../base/texts.ts'
import { forgetProof, takeReturn, verifierOf } from './browser-proof.ts'
import { codeField, emailField, passwordField } from './fields.ts'
import { hasPasskeys } from './has-passkeys.ts'
import type { Mailed, Mails } from './mails.ts'
import { redeemCode, redeemToken } from './redeem.ts'
import { offeredTo, startSso } from './sso.ts'
import { type LoginKey, texts } from './texts.en.ts'

const WAYS = ['password', 'signup', 'magic-link', 'sso', 'passkey'] as const
type Way = (typeof WAYS)[number]

/**
 * `<guildhall-login>`: all ways in that the project offers. The attribute `ways` names fewer of them, and `redirect` the page to which
 * links in mails lead. It tells the page of `guildhall:login` with the member, and of `guildhall:logout`.
 */
export class GuildhallLogin extends GuildhallElement<LoginKey> {
  static override observedAttributes = [...GuildhallElement.observedAttributes, 'ways']
  protected readonly english = texts
  protected readonly languages: Languages<LoginKey> = {
    de: () => import('./texts.de.ts'),
    es: () => import('./texts.es.ts'),
  }
  #connection!: Connection
  #signal!: AbortSignal
  #offered: readonly OfferedSsoConnection[] = []
  /** The address as it was entered last, for the next step. */
  #email = ''
  /** Who has just logged in here; of others the profile is asked for. */
  #loggedInAs: string | undefined
  /** A second factor is asked for: that is shown, not the begin. */
  #isPending = false
  /** Whether the person is at work here, so that the next step takes the focus. */
  #isUsed = false

  protected async open(connection: Connection, signal: AbortSignal): Promise<void> {
    this.#connection = connection
    this.#signal = signal
    if (!this.body.hasChildNodes()) this.showLoading()
    const failure = await this.#comeBack()
    if (signal.aborted) return
    if (this.#isPending) return
    if (connection.session.isLoggedIn) return this.#showLoggedIn()
    if (this.#has('sso')) this.#offered = await offeredTo(connection.open, {}, signal)
    if (!signal.aborted) this.#showStart(failure)
  }

  /** Finishes a log-in that left the page. @returns why it did not succeed */
  async #comeBack(): Promise<string | undefined> {
    const { token, code, error } = takeReturn()
    const { open } = this.#connection
    try {
      if (token !== undefined && verifierOf('mail') === undefined) this.#askAbout(token)
      else if (token !== undefined) await this.#finish(await redeemToken(open, token))
      else if (code !== undefined) await this.#finish(await redeemCode(open, code))
      if (error === undefined) return undefined
      forgetProof('sso')
      return this.say('ssoFailed', { reason: error })
    } catch (failure) {
      return inWords(this.say, failure)
    }
  }

  /** A link that this browser did not ask for, such as an invitation, may be somebody else's, who wants people to log in as them. */
  #askAbout(token: string): void {
    this.#isPending = true
    const act = async () => this.#finish(await redeemToken(this.#connection.open, token))
    const entry = form(this.say, { fields: [], submit: this.say('logIn'), act })
    this.#step(this.say('title'), [h('p', {}, this.say('yourLink')), entry, this.#back()])
  }

  #has(way: Way): boolean {
    const ways = this.getAttribute('ways')?.split(/\s+/) ?? WAYS
    return ways.includes(way)
  }

  /** Begins the session of an answer, or asks for the second factor. */
  async #finish(answer: LogInResponse): Promise<void> {
    if (answer.mfa_required) {
      this.#isPending = true
      return this.#showMfa(answer.mfa_token, answer.factors)
    }
    this.#isPending = false
    this.#begun(answer.member, answer.session)
  }

  #begun(member: Member, session: Session): void {
    this.#loggedInAs = member.email
    this.#connection.session.start(session)
    this.emit('login', { member })
  }

  /** Shows a step. @param focus what takes the focus if the person is at work here */
  #step(title: string, children: readonly Child[], focus?: Field): void {
    const heading = h('h2', { tabindex: -1, part: 'title' }, title)
    this.show(heading, h('div', { class: 'stack' }, ...children))
    if (!this.#isUsed) return
    if (focus) focus.focus()
    else heading.focus()
  }

  #link(key: LoginKey, act: () => unknown): HTMLButtonElement {
    const onclick = () => {
      this.#isUsed = true
      return act()
    }
    return button(this.say(key), onclick, 'link')
  }

  /** Remembers what was entered, for the next step and its focus. */
  #entered({ email }: Record<string, string>): void {
    this.#isUsed = true
    if (email !== undefined) this.#email = email.trim()
  }

  #showStart(failure?: string): void {
    this.#isPending = false
    const email = emailField(this.say, this.#email)
    const sso = h('div', { class: 'stack wide' }, ...this.#ssoButtons(this.#offered))
    const others = this.#otherWays(sso)
    const main = this.#has('password')
      ? this.#passwordForm(email)
      : this.#has('magic-link') && this.#linkForm(email)
    this.#step(
      this.say('title'),
      [
        h('div', { class: 'alert', role: 'alert', part: 'alert' }, failure),
        main,
        main && others.length > 0 && h('div', { class: 'or' }, this.say('or')),
        others.length > 0 && h('div', { class: 'stack wide' }, ...others),
        this.#has('signup') &&
          h(
            'p',
            { class: 'prompt' },
            `${this.say('noAccount')} `,
            this.#link('signUp', () => this.#showSignUp()),
          ),
      ],
      main ? email : undefined,
    )
    email.element.addEventListener('change', () => void this.#offerFor(String(email.value()), sso))
  }

  #otherWays(sso: HTMLElement): HTMLElement[] {
    const byPasskey = () => this.#usePasskey(undefined)
    return [
      ...(this.#has('sso') ? [sso] : []),
      ...(this.#has('passkey') && hasPasskeys() ? [button(this.say('passkey'), byPasskey)] : []),
      ...(this.#has('magic-link') && this.#has('password')
        ? [button(this.say('sendLink'), () => this.#showLink())]
        : []),
    ]
  }

  #passwordForm(email: Field): HTMLFormElement {
    return form(this.say, {
      fields: [email, passwordField(this.say, false)],
      submit: this.say('logIn'),
      label: this.say('title'),
      before: [this.#link('forgot', () => this.#showForgot())],
      act: async (values) => {
        this.#entered(values)
        try {
          const { password = '' } = values
          await this.#finish(await this.#connection.open.auth.login({ email: this.#email, password }))
        } catch (error) {
          if (!(error instanceof GuildhallError && error.code === 'SSO_REQUIRED')) throw error
          await this.#showSso(error)
        }
      },
    })
  }

  #ssoButtons(offered: readonly OfferedSsoConnection[]): HTMLElement[] {
    return offered.map(({ id, name }) => button(this.say('sso', { name }), () => this.#startSso(id)))
  }

  /** Organizations have connections of their own for the addresses of their domains. */
  async #offerFor(email: string, place: HTMLElement): Promise<void> {
    if (!this.#has('sso') || !email.includes('@')) return
    const offered = await offeredTo(this.#connection.open, { email }, this.#signal)
    const names = (list: readonly OfferedSsoConnection[]) => list.map(({ id }) => id).join()
    if (names(offered) !== names(this.#offered)) fill(place, ...this.#ssoButtons(offered))
    this.#offered = offered
  }

  async #showSso(error: GuildhallError): Promise<void> {
    const offered = await offeredTo(this.#connection.open, { email: this.#email }, this.#signal)
    this.#step(this.say('ssoTitle'), [
      h('p', {}, inWords(this.say, error)),
      h('div', { class: 'stack wide' }, ...this.#ssoButtons(offered)),
      this.#back(),
    ])
  }

  async #startSso(id: string): Promise<void> {
    try {
      location.assign(await startSso(this.#connection.open, id, this.#redirect()))
    } catch (error) {
      this.#complain(error)
    }
  }

  async #usePasskey(mfaToken: string | undefined): Promise<void> {
    this.#isUsed = true
    try {
      const { logInByPasskey } = await import('./passkeys.ts')
      await this.#finish(await logInByPasskey(this.#connection.open, mfaToken, this.#signal))
    } catch (error) {
      this.#complain(error instanceof DOMException ? new Error(this.say('passkeyStopped')) : error)
    }
  }

  /** Says what is wrong where no form does. */
  #complain(error: unknown): void {
    const alert = this.body.querySelector('[role=alert]')
    if (alert) fill(alert, h('p', {}, inWords(this.say, error)))
  }

  #back(): HTMLElement {
    return h(
      'div',
      {},
      this.#link('back', () => this.#showStart()),
    )
  }

  #redirect(): string {
    return new URL(this.getAttribute('redirect') ?? location.pathname, location.href).href
  }

  /** What goes by mail is loaded when it is needed. */
  async #mails(): Promise<Mails> {
    const { Mails: Loaded } = await import('./mails.ts')
    return new Loaded(this.#connection.open, this.#email, this.#redirect(), this.#has('signup'))
  }

  #showSignUp(): void {
    const email = emailField(this.say, this.#email)
    const label = this.say('fullName')
    const name = field(this.say, {
      name: 'full_name',
      label,
      attributes: { autocomplete: 'name', maxlength: 200 },
    })
    const act = async (values: Record<string, string>) => {
      this.#entered(values)
      const { full_name, password = '' } = values
      const { member, session } = await (await this.#mails()).signUp(password, full_name)
      if (session === null) return this.#showCode('email')
      this.#begun(member, session)
    }
    const submit = this.say('signUp')
    const fields = [name, email, passwordField(this.say, true)]
    this.#step(
      this.say('signUpTitle'),
      [
        form(this.say, { fields, submit, act, label: this.say('signUpTitle') }),
        h(
          'p',
          { class: 'prompt' },
          `${this.say('haveAccount')} `,
          this.#link('logIn', () => this.#showStart()),
        ),
      ],
      name,
    )
  }

  #linkForm(email: Field): HTMLFormElement {
    const act = async (values: Record<string, string>) => {
      this.#entered(values)
      await (await this.#mails()).send('magicLink')
      this.#showCode('magicLink')
    }
    return form(this.say, { fields: [email], submit: this.say('send'), act, label: this.say('linkTitle') })
  }

  #showLink(): void {
    this.#isUsed = true
    const email = emailField(this.say, this.#email)
    const help = h('p', {}, this.say('linkHelp'))
    this.#step(this.say('linkTitle'), [help, this.#linkForm(email), this.#back()], email)
  }

  #showForgot(): void {
    const email = emailField(this.say, this.#email)
    const act = async (values: Record<string, string>) => {
      this.#entered(values)
      await (await this.#mails()).send('reset')
      this.#showCode('reset')
    }
    const entry = form(this.say, {
      fields: [email],
      submit: this.say('send'),
      act,
      label: this.say('forgotTitle'),
    })
    this.#step(this.say('forgotTitle'), [h('p', {}, this.say('forgotHelp')), entry, this.#back()], email)
  }

  #showCode(mailed: Mailed): void {
    const code = codeField(this.say, 'code')
    const fields = mailed === 'reset' ? [code, passwordField(this.say, true)] : [code]
    const act = async ({ code: entered = '', password = '' }: Record<string, string>) => {
      await this.#finish(await (await this.#mails()).confirm(mailed, entered.trim(), password))
      forgetProof('mail')
    }
    const again = async () => {
      try {
        await (await this.#mails()).send(mailed)
        this.tell(this.say('sentAgain'))
        fill(said, this.say('sentAgain'))
      } catch (error) {
        this.#complain(error)
      }
    }
    const said = h('p', { class: 'said good' })
    const submit = this.say(mailed === 'reset' ? 'setPassword' : 'confirm')
    this.#step(
      this.say('codeTitle'),
      [
        h('p', {}, this.say('codeHelp', { email: this.#email })),
        form(this.say, { fields, submit, act, label: this.say('codeTitle') }),
        said,
        h(
          'div',
          { class: 'actions' },
          this.#link('again', again),
          this.#link('back', () => this.#showStart()),
        ),
      ],
      code,
    )
  }

  #showMfa(mfaToken: string, factors: readonly FactorSummary[], isRecovery = false): void {
    this.#isUsed = true
    const hasApp = factors.some(({ type }) => type === 'totp')
    const hasKey = factors.some(({ type }) => type === 'passkey') && hasPasskeys()
    const code = isRecovery
      ? codeField(this.say, 'recoveryCode', 'recoveryHelp')
      : codeField(this.say, 'mfaCode', 'mfaHelp')
    const act = async ({ code: entered = '' }: Record<string, string>) => {
      const { mfa } = this.#connection.open.auth
      await this.#finish(await mfa.verify({ mfa_token: mfaToken, code: entered.replace(/\s/g, '') }))
    }
    const toggle = () => this.#showMfa(mfaToken, factors, !isRecovery)
    this.#step(
      this.say('mfaTitle'),
      [
        (hasApp || isRecovery) &&
          form(this.say, { fields: [code], submit: this.say('confirm'), act, label: this.say('mfaTitle') }),
        !hasApp && h('div', { class: 'alert', role: 'alert' }),
        hasKey && button(this.say('passkey'), () => this.#usePasskey(mfaToken)),
        h(
          'div',
          { class: 'actions' },
          this.#link(isRecovery ? 'useApp' : 'useRecovery', toggle),
          this.#link('back', () => this.#showStart()),
        ),
      ],
      hasApp || isRecovery ? code : undefined,
    )
  }

  async #showLoggedIn(): Promise<void> {
    const signal = this.#signal
    const email =
      this.#loggedInAs ?? (await this.#connection.guildhall.user.profile.get({}, { signal })).email
    this.#loggedInAs = undefined
    if (signal.aborted) return
    const logOut = async () => {
      this.#isUsed = true
      this.#email = ''
      await this.#connection.session.end()
      this.emit('logout', {})
    }
    this.#step(this.say('loggedIn'), [
      h('p', {}, this.say('as', { email })),
      h('div', { class: 'actions' }, button(this.say('logOut'), logOut)),
    ])
    this.#isUsed = false
  }
}
