import { type CommonKey, texts as english } from './common.en.ts'
import { commonLanguages } from './common-languages.ts'
import { type Connection, connectionOf, languageOf, onConfigured } from './connection.ts'
import { type Child, fill, h } from './dom.ts'
import { inWords } from './errors.ts'
import type { Told } from './events.ts'
import { sheet } from './styles.ts'
import { type Languages, type Texts, textsFor, withValues } from './texts.ts'

/**
 * What all elements have in common: a shadow root with its style, the connection, the language, and a place from which news is
 * read aloud. @template Key the names of the element's own texts
 */
export abstract class GuildhallElement<Key extends string = string> extends HTMLElement {
  static observedAttributes: readonly string[] = ['api', 'key', 'lang']

  /** Where the element shows what it has. */
  protected readonly body = h('div', { class: 'body', part: 'body' })
  readonly #status = h('div', { class: 'hidden', role: 'status' })
  #texts: Partial<Texts> = {}
  #own: Partial<Texts> = {}
  /** Ends what the element does: it was taken away, or begins anew. */
  #controller: AbortController | undefined
  #isAsked = false

  /** The element's texts in English, and in other languages. */
  protected abstract readonly english: Texts<Key>
  protected abstract readonly languages: Languages<Key>
  /** Shows the element. It is called again after each change that matters. @param signal ends when that is no longer wanted */
  protected abstract open(connection: Connection, signal: AbortSignal): void | Promise<void>

  constructor() {
    super()
    const root = this.attachShadow({ mode: 'open' })
    root.adoptedStyleSheets = [sheet()]
    root.append(this.body, this.#status)
  }

  /** Texts of the site in place of ours, by their names. */
  get texts(): Partial<Texts<Key | CommonKey>> {
    return this.#own as Partial<Texts<Key | CommonKey>>
  }
  set texts(own: Partial<Texts<Key | CommonKey>>) {
    this.#own = own
    this.begin()
  }

  /** A text by its name. */
  protected readonly say = (
    key: Key | CommonKey,
    values: Readonly<Record<string, string | number>> = {},
  ): string =>
    withValues(
      this.#own[key] ?? this.#texts[key] ?? (this.english as Texts)[key] ?? (english as Texts)[key] ?? key,
      values,
    )

  /** The tag of the language, for dates and amounts. */
  protected get language(): string {
    const tag = languageOf(this)
    return Intl.DateTimeFormat.supportedLocalesOf(tag.replace('_', '-'))[0] ?? 'en'
  }

  connectedCallback(): void {
    // A page may have set it before the element was defined: then it hides the accessor.
    const early = Object.getOwnPropertyDescriptor(this, 'texts')
    if (early !== undefined) {
      Reflect.deleteProperty(this, 'texts')
      this.texts = early.value
    }
    this.begin()
  }

  disconnectedCallback(): void {
    this.#controller?.abort()
  }

  attributeChangedCallback(_name: string, before: string | null, now: string | null): void {
    if (before !== now) this.begin()
  }

  /** Somebody has logged in or out, here or in another tab. */
  protected sessionChanged(): void {
    this.begin()
  }

  /** Shows the element anew, once for all that is changed at the same time. */
  protected begin(): void {
    if (!this.isConnected || this.#isAsked) return
    this.#isAsked = true
    queueMicrotask(() => {
      this.#isAsked = false
      if (this.isConnected) void this.#begin()
    })
  }

  async #begin(): Promise<void> {
    this.#controller?.abort()
    const controller = new AbortController()
    this.#controller = controller
    const { signal } = controller
    try {
      const connection = connectionOf(this)
      const tag = languageOf(this)
      const [common, own] = await Promise.all([textsFor(commonLanguages, tag), textsFor(this.languages, tag)])
      if (signal.aborted) return
      this.#texts = { ...common, ...own }
      if (connection === undefined) {
        const stop = onConfigured(() => this.begin())
        signal.addEventListener('abort', stop)
        // The page's script, which says it, may come a moment later.
        setTimeout(() => signal.aborted || this.fail(new Error(this.say('notConfigured'))), 500)
        return
      }
      signal.addEventListener(
        'abort',
        connection.session.onChange(() => this.sessionChanged()),
      )
      await this.open(connection, signal)
    } catch (error) {
      if (!signal.aborted) this.fail(error)
    }
  }

  /** Shows parts in the body. */
  protected show(...children: readonly Child[]): void {
    fill(this.body, ...children)
  }

  protected showLoading(): void {
    this.show(h('p', { class: 'loading', role: 'status', part: 'loading' }, this.say('loading')))
  }

  /** Says why nothing can be shown, with a button that tries it again. */
  protected fail(error: unknown): void {
    const again = () => this.begin()
    const alert = h(
      'div',
      { class: 'alert', role: 'alert', part: 'alert' },
      h('p', {}, inWords(this.say, error)),
    )
    const actions = h('div', { class: 'actions' }, button(this.say('tryAgain'), again))
    this.show(h('div', { class: 'stack' }, alert, actions))
  }

  /** Has a text read aloud. */
  protected tell(text: string): void {
    fill(this.#status, text)
  }

  /** Tells the page. @param name without the prefix `guildhall:` */
  protected emit<Name extends keyof Told>(name: Name, detail: Told[Name]): void {
    this.dispatchEvent(new CustomEvent(`guildhall:${name}`, { detail, bubbles: true, composed: true }))
  }
}

/** A button that is not the main one. */
export function button(label: string, onclick: () => unknown, kind = 'button'): HTMLButtonElement {
  return h(
    'button',
    { type: 'button', class: kind, part: kind === 'button' ? 'button' : kind, onclick },
    label,
  )
}

/** Defines an element, unless the page has done so already. */
export function define(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element)
}
