import { GuildhallError } from '../../../sdk/src/guildhall.ts'
import { type Child, fill, h } from './dom.ts'
import { faultInWords, inWords, type Say } from './errors.ts'
import type { Field } from './fields.ts'

export interface FormOptions {
  readonly fields: readonly Field[]
  /** The words of its button. */
  readonly submit: string
  /** Does what the form is for. What it throws is shown. */
  readonly act: (values: Record<string, string>) => Promise<void>
  /** What stands before and after the button. */
  readonly before?: readonly Child[]
  readonly after?: readonly Child[]
  /** The name of the form for those who do not see it. */
  readonly label?: string
  /** Whether the button is not the main one of the element. */
  readonly isMinor?: boolean
}

/** A form that says what is wrong at its fields, and everything else in one place that is read aloud. */
export function form(say: Say, options: FormOptions): HTMLFormElement {
  const { fields, submit, act, before = [], after = [], label } = options
  const alert = h('div', { class: 'alert', role: 'alert', part: 'alert' })
  const kind = options.isMinor ? 'button' : 'button primary'
  const button = h('button', { type: 'submit', class: kind, part: kind }, submit)
  let isBusy = false
  const setBusy = (busy: boolean) => {
    isBusy = busy
    // It keeps the focus, which a disabled button loses.
    button.setAttribute('aria-disabled', String(busy))
    button.classList.toggle('busy', busy)
  }
  const send = async () => {
    fill(alert)
    const wrong = fields.filter((one) => {
      const fault = one.check(say)
      one.setFault(fault)
      return fault !== undefined
    })
    if (wrong.length > 0) return wrong[0]?.focus()
    setBusy(true)
    try {
      await act(Object.fromEntries(fields.map(({ name, value }) => [name, String(value())])))
    } catch (error) {
      showFailure(say, alert, fields, error)
    } finally {
      setBusy(false)
    }
  }
  const onsubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isBusy) void send()
  }
  return h(
    'form',
    { novalidate: true, part: 'form', 'aria-label': label, onsubmit },
    ...fields.map(({ element }) => element),
    ...before,
    alert,
    h('div', { class: 'actions' }, button),
    ...after,
  )
}

/** Shows what the API says: what is about a field at the field, and the rest in the place for it. */
export function showFailure(say: Say, alert: Element, fields: readonly Field[], error: unknown): void {
  const details = error instanceof GuildhallError ? error.details : []
  let first: Field | undefined
  const others: string[] = []
  for (const detail of details) {
    const [, id = detail.field] = /^(?:data\.)?([^.[]+)/.exec(detail.field) ?? []
    const known = fields.find(({ name }) => name === id)
    if (known === undefined) others.push(`${detail.field} ${detail.message}`)
    known?.setFault(faultInWords(say, detail))
    first ??= known
  }
  fill(alert, h('p', {}, [inWords(say, error), ...others].join(' ')))
  first?.focus()
}
