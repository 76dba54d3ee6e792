import type { FeedbackItem, FeedbackStatus, FeedbackType } from '../../../sdk/src/guildhall.ts'
import type { Connection } from '../base/connection.ts'
import { fill, h } from '../base/dom.ts'
import { button, GuildhallElement } from '../base/element.ts'
import { inWords } from '../base/errors.ts'
import { field } from '../base/fields.ts'
import { form } from '../base/form.ts'
import { logInPrompt } from '../base/log-in-link.ts'
import { selectField } from '../base/select.ts'
import { ownSheet } from '../base/styles.ts'
import type { Languages } from '../base/texts.ts'
import { type FeedbackKey, texts } from './texts.en.ts'

const STATUSES = ['new', 'under_review', 'planned', 'in_progress', 'done', 'declined'] as const
const TYPES = ['feature', 'feedback', 'bug', 'question'] as const
const SORTS = ['top', 'new'] as const
const PAGE = 20

const style = ownSheet(`
.bar{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:end;margin-block-end:var(--_gap)}
.bar .field{flex:1 1 9rem;max-inline-size:16rem}
.item{display:grid;grid-template-columns:auto minmax(0,1fr);gap:1rem;padding-block:1rem;border-block-start:1px solid var(--_line)}
.item h3{margin:0}
.item p{margin-block-start:.25rem}
.message{white-space:pre-line}
.vote{font:inherit;display:grid;align-self:start;justify-items:center;align-content:center;inline-size:3.5rem;min-block-size:3.75rem;padding:.25rem;border:1px solid var(--_border);border-radius:var(--_radius);background:var(--_surface);color:inherit;cursor:pointer;font-weight:600}
.vote::before{content:"▲";content:"▲" / "";line-height:1.2;font-size:.875rem}
.vote:hover{background:var(--_soft)}
.vote[aria-pressed=true]{background:var(--_accent);border-color:var(--_accent);color:var(--_on-accent)}
.badge{display:inline-block;font-size:.8125rem;font-weight:600;padding:.0625rem .5rem;border-radius:1rem;background:var(--_soft);border:1px solid var(--_line)}
.new-item{background:var(--_soft);border-radius:var(--_radius);padding:1rem;margin-block-end:var(--_gap)}
`)

/**
 * `<guildhall-feedback>`: the public items with their votes and statuses, and a form for a new one. It tells the page of
 * `guildhall:feedback` with what was sent. `login-url` is where people log in to vote.
 */
export class GuildhallFeedback extends GuildhallElement<FeedbackKey> {
  static override observedAttributes = [...GuildhallElement.observedAttributes, 'login-url']
  protected readonly english = texts
  protected readonly languages: Languages<FeedbackKey> = {
    de: () => import('./texts.de.ts'),
    es: () => import('./texts.es.ts'),
  }
  #connection!: Connection
  #sort: (typeof SORTS)[number] = 'top'
  #status: FeedbackStatus | undefined
  readonly #list = h('ul', { part: 'list' })
  readonly #said = h('div', { class: 'said', role: 'status' })
  readonly #more = h('div', { class: 'actions' })
  readonly #writing = h('div')

  constructor() {
    super()
    this.shadowRoot?.adoptedStyleSheets.push(style)
  }

  protected async open(connection: Connection, signal: AbortSignal): Promise<void> {
    this.#connection = connection
    if (!this.body.hasChildNodes()) this.showLoading()
    const page = await this.#read(signal)
    if (signal.aborted) return
    fill(this.#said)
    if (!this.#writing.hasChildNodes()) this.#showClosed()
    this.show(
      h('h2', { part: 'title' }, this.say('title')),
      this.#writing,
      this.#bar(),
      this.#said,
      this.#list,
      this.#more,
    )
    this.#showPage(page, true)
  }

  #bar(): HTMLElement {
    const sort = selectField(this.say, {
      ...{ name: 'sort', label: this.say('sort'), value: this.#sort },
      options: SORTS.map((value) => ({ value, label: this.say(value) })),
      onchange: (value) => this.#choose(() => (this.#sort = value === 'new' ? 'new' : 'top')),
    })
    const status = selectField(this.say, {
      ...{ name: 'status', label: this.say('status'), value: this.#status ?? '' },
      options: [
        { value: '', label: this.say('all') },
        ...STATUSES.map((value) => ({ value, label: this.say(`status.${value}`) })),
      ],
      onchange: (value) => this.#choose(() => (this.#status = STATUSES.find((known) => known === value))),
    })
    return h('div', { class: 'bar' }, sort.element, status.element)
  }

  async #choose(change: () => unknown): Promise<void> {
    change()
    try {
      this.#showPage(await this.#read(), true)
    } catch (error) {
      this.#complain(error)
    }
  }

  #read(signal?: AbortSignal, cursor?: string) {
    const query = { sort: this.#sort, limit: PAGE, status: this.#status, cursor }
    return this.#connection.guildhall.feedback.list(query, { signal })
  }

  #showPage(
    { data, next_cursor: next }: { data: FeedbackItem[]; next_cursor: string | null },
    isFirst: boolean,
  ): void {
    const rows = data.map((item) => this.#row(item))
    if (isFirst) fill(this.#list, ...rows)
    else this.#list.append(...rows)
    if (isFirst && rows.length === 0) fill(this.#list, h('li', { class: 'muted' }, this.say('empty')))
    const more = async () => {
      try {
        this.#showPage(await this.#read(undefined, next ?? undefined), false)
        rows.at(-1)?.nextElementSibling?.querySelector<HTMLElement>('button')?.focus()
      } catch (error) {
        this.#complain(error)
      }
    }
    fill(this.#more, next !== null && button(this.say('more'), more))
  }

  #row(item: FeedbackItem): HTMLElement {
    const { title, message, status, status_note: note } = item
    const key = `status.${status}`
    const words = key in texts ? this.say(key as FeedbackKey) : status
    return h(
      'li',
      { class: 'item', part: 'item' },
      this.#voteButton(item),
      h(
        'div',
        {},
        h('h3', { dir: 'auto' }, title || item.excerpt),
        title ? h('p', { class: 'message', dir: 'auto' }, message) : undefined,
        h('p', {}, h('span', { class: 'badge', part: 'status' }, words)),
        note && h('p', { class: 'muted' }, note),
      ),
    )
  }

  #voteButton(item: FeedbackItem): HTMLButtonElement {
    const title = item.title || item.excerpt
    let { voted = false } = item.viewer ?? {}
    const act = async () => {
      const { feedback } = this.#connection.guildhall
      if (!this.#connection.session.isLoggedIn) return this.#askToLogIn()
      try {
        const outcome = voted ? await feedback.unvote(item.id) : await feedback.vote(item.id)
        voted = outcome.voted
        show(outcome.vote_count)
      } catch (error) {
        this.#complain(error)
      }
    }
    const vote = h('button', { type: 'button', class: 'vote', part: 'vote', onclick: act })
    const show = (n: number) => {
      fill(vote, String(n))
      vote.setAttribute('aria-pressed', String(voted))
      vote.setAttribute('aria-label', this.say('vote', { title, n }))
    }
    show(item.vote_count)
    return vote
  }

  #askToLogIn(): void {
    fill(this.#said, logInPrompt(this, this.say('logInToVote'), this.say('logIn')))
    this.emit('login-required', {})
  }

  #complain(error: unknown): void {
    fill(this.#said, h('p', { class: 'alert' }, inWords(this.say, error)))
  }

  #showClosed(): void {
    const write = button(this.say('suggest'), () => this.#showForm(), 'button primary')
    fill(this.#writing, h('div', { class: 'actions bar' }, write))
  }

  #showForm(): void {
    const kind = selectField(this.say, {
      ...{ name: 'type', label: this.say('kind') },
      options: TYPES.map((value) => ({ value, label: this.say(`type.${value}`) })),
    })
    const subject = field(this.say, {
      name: 'title',
      label: this.say('subject'),
      required: true,
      attributes: { maxlength: 200 },
    })
    const message = field(this.say, {
      name: 'message',
      label: this.say('message'),
      type: 'textarea',
      required: true,
      attributes: { maxlength: 10_000 },
    })
    const address = field(this.say, {
      ...{ name: 'email', label: this.say('address'), type: 'email', help: this.say('addressHelp') },
      attributes: { autocomplete: 'email', maxlength: 254 },
    })
    const fields = [kind, subject, message, ...(this.#connection.session.isLoggedIn ? [] : [address])]
    const entry = form(this.say, {
      ...{ fields, submit: this.say('send'), label: this.say('suggest') },
      act: (values) => this.#send(values),
    })
    entry.querySelector('.actions')?.append(button(this.say('cancel'), () => this.#close()))
    fill(this.#writing, h('div', { class: 'new-item' }, entry))
    kind.focus()
  }

  #close(): void {
    this.#showClosed()
    this.#writing.querySelector('button')?.focus()
  }

  async #send({ type, title = '', message = '', email = '' }: Record<string, string>): Promise<void> {
    const { guildhall, session } = this.#connection
    const kind: FeedbackType = TYPES.find((known) => known === type) ?? 'feedback'
    const sender = email === '' || session.isLoggedIn ? {} : { email }
    const sent = await guildhall.feedback.create({ type: kind, title, message, ...sender })
    this.#close()
    fill(this.#said, h('p', { class: 'good' }, this.say(kind === 'bug' ? 'thanksPrivate' : 'thanks')))
    this.emit('feedback', { feedback: sent })
    this.#sort = 'new'
    this.#status = undefined
    this.body.querySelector('.bar:not(.actions)')?.replaceWith(this.#bar())
    this.#showPage(await this.#read(), true)
  }
}
