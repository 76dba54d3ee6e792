import type { Guildhall } from '../../../sdk/src/guildhall.ts'
import type { CommonKey } from '../base/common.en.ts'
import type { Connection } from '../base/connection.ts'
import { type Child, fill, h } from '../base/dom.ts'
import { button } from '../base/element.ts'
import { inWords } from '../base/errors.ts'
import type { Told } from '../base/events.ts'
import type { AccountKey } from './texts.en.ts'

export type Say = (key: AccountKey | CommonKey, values?: Readonly<Record<string, string | number>>) => string

/** What a part of the account has to know. */
export interface Account {
  readonly say: Say
  readonly language: string
  readonly connection: Connection
  readonly guildhall: Guildhall
  readonly signal: AbortSignal
  /** Has a text read aloud. */
  readonly tell: (text: string) => void
  readonly emit: <Name extends keyof Told>(name: Name, detail: Told[Name]) => void
  /** Shows a part anew after another one has changed what it shows. */
  readonly reload: (part: 'bills') => void
  /** The page to which links in mails lead. */
  readonly redirect: string
}

/** A part of the account: it reads what it shows, and shows it in its place. */
export type Section = (account: Account, place: Place) => Promise<void>

/** Where a part is, with a line for what it has to say. */
export class Place {
  readonly element = h('div')
  readonly #content = h('div', { class: 'stack' })
  readonly #said = h('div', { class: 'said' })
  readonly #account: Account

  constructor(account: Account) {
    this.#account = account
    this.element.append(this.#content, this.#said)
  }

  show(...children: readonly Child[]): void {
    fill(this.#content, ...children)
  }

  /** Says what was done. */
  say(text: string): void {
    fill(this.#said, h('p', { class: 'good' }, text))
    this.#account.tell(text)
  }

  complain(error: unknown): void {
    fill(this.#said, h('p', { class: 'alert', role: 'alert' }, inWords(this.#account.say, error)))
  }

  clear(): void {
    fill(this.#said)
  }

  /** A button that does something and says why that did not succeed. */
  button(label: string, act: () => Promise<unknown>, kind = 'button'): HTMLButtonElement {
    const made = button(
      label,
      async () => {
        if (made.getAttribute('aria-disabled') === 'true') return
        made.setAttribute('aria-disabled', 'true')
        this.clear()
        try {
          await act()
        } catch (error) {
          this.complain(error)
        }
        made.removeAttribute('aria-disabled')
      },
      kind,
    )
    return made
  }

  /** Puts the focus to where it goes on, after what had it is gone. */
  focus(): void {
    this.#content.querySelector<HTMLElement>('input,select,textarea,button')?.focus()
  }
}

/** A day, in the words of a language. */
export const dayOf = ({ language }: Account, time: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(time))

export const momentOf = ({ language }: Account, time: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))

export const amountOf = ({ language }: Account, amount: number, currency: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount)
