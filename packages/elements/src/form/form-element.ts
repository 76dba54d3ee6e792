import { type FormSchema, GuildhallError } from '../../../sdk/src/guildhall.ts'
import type { Connection } from '../base/connection.ts'
import { fill, h } from '../base/dom.ts'
import { button, GuildhallElement } from '../base/element.ts'
import { form, showFailure } from '../base/form.ts'
import type { Answer } from './conditions.ts'
import type { Input } from './inputs.ts'
import { languages, rowsOf, showMet, style } from './rows.ts'
import { type FormKey, texts } from './texts.en.ts'

/** What was entered, by the ids of fields. */
interface Entered {
  readonly answers: ReadonlyMap<string, Answer>
  readonly files: ReadonlyMap<string, FileList | null>
}

/**
 * `<guildhall-form form="form_…">`: the fields of a form. It tells the page of `guildhall:submit` with the submission; where that is
 * prevented, the page does what follows. The property `values` fills fields in beforehand, hidden ones too.
 */
export class GuildhallForm extends GuildhallElement<FormKey> {
  static override observedAttributes = [...GuildhallElement.observedAttributes, 'form']
  protected readonly english = texts
  protected readonly languages = languages
  /** Values by the ids of fields, for a form that is shown anew. */
  declare values: Readonly<Record<string, string | number | boolean | string[]>> | undefined
  #connection!: Connection
  #schema!: FormSchema
  #inputs: readonly Input[] = []

  constructor() {
    super()
    this.shadowRoot?.adoptedStyleSheets.push(style)
  }

  /** What was filled in stays. */
  protected override sessionChanged(): void {}

  protected async open(connection: Connection, signal: AbortSignal): Promise<void> {
    this.#connection = connection
    const id = this.getAttribute('form')
    if (!id) throw new Error(this.say('noForm'))
    if (!this.body.hasChildNodes()) this.showLoading()
    const entered = this.#entered()
    this.#schema = await this.#read(id, signal)
    if (!signal.aborted) this.#showForm(entered)
  }

  async #read(id: string, signal?: AbortSignal): Promise<FormSchema> {
    try {
      return await this.#connection.open.forms.schema.get(id, { signal })
    } catch (error) {
      if (error instanceof GuildhallError && error.code === 'FORM_NOT_PUBLISHED')
        throw new Error(this.say('closed'))
      throw error
    }
  }

  #entered(): Entered {
    return {
      answers: new Map(this.#inputs.map((input) => [input.name, input.answer()])),
      files: new Map(this.#inputs.map((input) => [input.name, input.files?.() ?? null])),
    }
  }

  /** @param entered what was filled in before: it is kept where its field is still there */
  #showForm(entered: Entered, changed?: GuildhallError): void {
    const { name, description, fields, settings, honeypot } = this.#schema
    const bait = h('input', { name: honeypot, tabindex: -1, autocomplete: 'off', 'aria-hidden': 'true' })
    const said = h('p', { class: 'said', role: 'status' }, changed && this.say('changed'))
    const { answers, files } = entered
    const rows = rowsOf(this.say, fields, (of) =>
      answers.has(of.id) ? answers.get(of.id) : (this.values?.[of.id] ?? of.default),
    )
    this.#inputs = rows.flatMap(({ input }) => input ?? [])
    for (const { name, setFiles } of this.#inputs) {
      const kept = files.get(name)
      if (kept) setFiles?.(kept)
    }
    const update = () => showMet(fields, rows)
    const entry = form(this.say, {
      fields: [],
      submit: settings.submit_button_text || this.say('send'),
      label: name,
      before: [
        ...rows.map(({ element }) => element),
        honeypot !== undefined && h('div', { class: 'bait', 'aria-hidden': 'true' }, bait),
      ],
      act: () => this.#send(bait.value, entry),
    })
    entry.addEventListener('input', update)
    entry.addEventListener('change', update)
    update()
    this.show(
      h('h2', { part: 'title' }, h('bdi', {}, name)),
      description && h('p', { class: 'intro' }, h('bdi', {}, description)),
      said,
      entry,
    )
    const alert = entry.querySelector('.alert')
    if (changed && alert) showFailure(this.say, alert, this.#inputs, changed)
  }

  async #send(bait: string, entry: HTMLFormElement): Promise<void> {
    const shown = this.#inputs.filter(({ element }) => !element.hidden)
    const wrong = shown.filter((input) => {
      const fault = input.check(this.say)
      input.setFault(fault)
      return fault !== undefined
    })
    if (wrong.length > 0) {
      fill(entry.querySelector('.alert') ?? entry, h('p', {}, this.say('faults')))
      return wrong[0]?.focus()
    }
    const { id, version } = this.#schema
    try {
      const receipt = await this.#connection.open.forms.submissions.create(id, this.#content(bait))
      this.#finish(receipt)
    } catch (error) {
      const isOld = error instanceof GuildhallError && (error.status === 422 || error.status === 404)
      const now = isOld ? await this.#read(id) : this.#schema
      if (now.version === version || !(error instanceof GuildhallError)) return this.#complain(entry, error)
      const entered = this.#entered()
      this.#schema = now
      this.#showForm(entered, error)
    }
  }

  #complain(entry: HTMLFormElement, error: unknown): void {
    showFailure(this.say, entry.querySelector('.alert') ?? entry, this.#inputs, error)
  }

  /** What is sent: JSON, or its parts where a file comes with it. */
  #content(bait: string) {
    const { fields, honeypot, token } = this.#schema
    const data: Record<string, Exclude<Answer, undefined> | null> = {}
    const files: [string, File][] = []
    for (const { name, answer, files: filesOf, element } of this.#inputs) {
      const isShown = !element.hidden || element.classList.contains('always')
      const [file] = filesOf?.() ?? []
      const value = filesOf ? undefined : answer()
      if (isShown && file) files.push([name, file])
      // Nothing at all would stand for the default of the field.
      const isCleared =
        value === undefined && fields.some(({ id, default: usual }) => id === name && usual !== undefined)
      if (isShown && (value !== undefined || isCleared)) data[name] = value ?? null
    }
    if (honeypot !== undefined && bait !== '') data[honeypot] = bait
    if (files.length === 0) return { data, token }
    const parts = new FormData()
    parts.set('data', JSON.stringify(data))
    parts.set('token', token)
    for (const [name, file] of files) parts.set(name, file, file.name)
    return parts
  }

  #finish(receipt: { id: string; success_message?: string; redirect_url?: string }): void {
    const { success_message: words, redirect_url: next } = receipt
    const event = new CustomEvent('guildhall:submit', {
      ...{ detail: { submission: receipt }, bubbles: true, composed: true, cancelable: true },
    })
    this.#inputs = []
    const said = h('p', { class: 'good', tabindex: -1, part: 'success' }, words || this.say('thanks'))
    this.show(
      h('h2', { part: 'title' }, this.#schema.name),
      said,
      h(
        'div',
        { class: 'actions' },
        button(this.say('oneMore'), () => this.begin(), 'link'),
      ),
    )
    said.focus()
    this.tell(words || this.say('thanks'))
    if (this.dispatchEvent(event) && next && /^https?:/i.test(next)) location.assign(next)
  }
}
