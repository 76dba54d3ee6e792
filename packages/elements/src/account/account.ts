import type { Connection } from '../base/connection.ts'
import { h } from '../base/dom.ts'
import { GuildhallElement } from '../base/element.ts'
import { logInPrompt } from '../base/log-in-link.ts'
import type { Languages } from '../base/texts.ts'
import { type Account, Place, type Section } from './section.ts'
import { bills } from './sections/bills.ts'
import { data } from './sections/data.ts'
import { factors } from './sections/factors.ts'
import { notifications } from './sections/notifications.ts'
import { password } from './sections/password.ts'
import { plan } from './sections/plan.ts'
import { picture, profile } from './sections/profile.ts'
import { sessions } from './sections/sessions.ts'
import { style } from './style.ts'
import { type AccountKey, texts } from './texts.en.ts'

const SECTIONS = { profile, picture, password, factors, sessions, plan, bills, notifications, data } as const
type SectionName = keyof typeof SECTIONS

/**
 * `<guildhall-account>`: what members do with their accounts. The attribute `sections` names some parts and their order. It tells the
 * page of `guildhall:profile`, `guildhall:subscription`, `guildhall:payment` (the page goes on with the script of its payment provider)
 * and `guildhall:logout`. `login-url` is where people log in.
 */
export class GuildhallAccount extends GuildhallElement<AccountKey> {
  static override observedAttributes = [...GuildhallElement.observedAttributes, 'sections', 'login-url']
  protected readonly english = texts
  protected readonly languages: Languages<AccountKey> = {
    de: () => import('./texts.de.ts'),
    es: () => import('./texts.es.ts'),
  }

  /** What shows a part anew. */
  readonly #begins = new Map<SectionName, () => void>()

  constructor() {
    super()
    this.shadowRoot?.adoptedStyleSheets.push(style)
  }

  protected open(connection: Connection, signal: AbortSignal): void {
    const { session, guildhall } = connection
    const title = h('h2', { part: 'title' }, this.say('title'))
    if (!session.isLoggedIn) {
      this.show(title, logInPrompt(this, this.say('logInFirst'), this.say('logIn')))
      return
    }
    const account: Account = {
      ...{ say: this.say, language: this.language, connection, guildhall, signal },
      tell: (text) => this.tell(text),
      emit: (name, detail) => this.emit(name, detail),
      reload: (part) => this.#begins.get(part)?.(),
      redirect: new URL(location.pathname, location.href).href,
    }
    const names = this.getAttribute('sections')?.split(/\s+/) ?? Object.keys(SECTIONS)
    const known = names.filter((name): name is SectionName => name in SECTIONS)
    const parts = known.map((name) => this.#section(account, name))
    this.show(title, ...parts)
  }

  /** Each part reads what it shows by itself: where one fails, the others are there. */
  #section(account: Account, name: SectionName): HTMLElement {
    const place = new Place(account)
    const read: Section = SECTIONS[name]
    const begin = async (): Promise<void> => {
      place.show(h('p', { class: 'loading' }, this.say('loading')))
      try {
        await read(account, place)
      } catch (error) {
        if (account.signal.aborted) return
        place.complain(error)
        place.show(place.button(this.say('tryAgain'), begin))
      }
    }
    const again = () => {
      begin().catch((error) => place.complain(error))
    }
    this.#begins.set(name, again)
    again()
    const title = h('h3', { part: 'section-title' }, this.say(name))
    return h('section', { class: 'section', part: 'section' }, title, place.element)
  }
}
