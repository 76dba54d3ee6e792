import { type Child, fill, h, newId } from './dom.ts'
import type { Say } from './errors.ts'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export interface FieldOptions {
  readonly name: string
  readonly label: string
  /** As of `<input>`, and `textarea`. */
  readonly type?: string
  readonly value?: string
  readonly help?: string
  readonly required?: boolean
  /** More attributes of the control. */
  readonly attributes?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** A field with its label, and a place for what is wrong with it. */
export interface Field {
  readonly name: string
  readonly element: HTMLElement
  readonly value: () => unknown
  readonly focus: () => void
  /** Shows what is wrong; nothing, without a text. */
  readonly setFault: (text?: string) => void
  /** What is wrong as far as the browser knows, in words. */
  readonly check: (say: Say) => string | undefined
}

/** A field of one control. */
export function field(say: Say, options: FieldOptions): Field {
  const { name, label, type = 'text', value, required = false, attributes } = options
  const id = newId()
  const common = { id, name, required, part: 'input', ...attributes }
  const control: Control =
    type === 'textarea' ? h('textarea', { rows: 4, ...common }) : h('input', { type, ...common })
  if (value !== undefined) control.value = value
  return fieldOf(
    say,
    options,
    control,
    h('label', { for: id, part: 'label' }, h('bdi', {}, label), note(say, required)),
  )
}

/** Says that a field may be left empty; most must not. */
export const note = (say: Say, required: boolean): Child =>
  required ? undefined : h('span', { class: 'optional' }, ` (${say('optional')})`)

/** A field around a control that is there. */
export function fieldOf(
  _say: Say,
  { name, help }: Pick<FieldOptions, 'name' | 'help'>,
  control: Control,
  label: HTMLElement,
): Field {
  const faultId = newId()
  const helpId = newId()
  const fault = h('p', { class: 'fault', id: faultId, part: 'fault' })
  if (help) control.setAttribute('aria-describedby', helpId)
  const isBox = control instanceof HTMLInputElement && control.type === 'checkbox'
  const element = h(
    'div',
    { class: isBox ? 'field box' : 'field', part: 'field' },
    ...(isBox ? [h('div', { class: 'row' }, control, label)] : [label, control]),
    help && h('p', { class: 'help', id: helpId }, help),
    fault,
  )
  const setFault = (text?: string) => {
    fill(fault, text)
    if (text === undefined) control.removeAttribute('aria-invalid')
    else control.setAttribute('aria-invalid', 'true')
    const described = [text !== undefined && faultId, help && helpId].filter((id) => id).join(' ')
    if (described) control.setAttribute('aria-describedby', described)
    else control.removeAttribute('aria-describedby')
  }
  control.addEventListener('input', () => {
    if (control.getAttribute('aria-invalid') === 'true') setFault()
  })
  return {
    ...{ name, element, setFault },
    value: () => (isBox ? control.checked : control.value),
    focus: () => control.focus(),
    check: (say) => checkControl(say, control),
  }
}

/** What the browser knows of a control, in the words of the element. */
export function checkControl(say: Say, control: Control): string | undefined {
  const { validity } = control
  if (validity.valueMissing || (control.required && control.value.trim() === '')) return say('required')
  if (validity.typeMismatch) return say(control.type === 'url' ? 'url' : 'email')
  if (validity.badInput) return say('number')
  if (validity.rangeUnderflow) return say('tooLow', { min: control.getAttribute('min') ?? '' })
  if (validity.rangeOverflow) return say('tooHigh', { max: control.getAttribute('max') ?? '' })
  // A browser counts UTF-16 units, and the API characters.
  const min = Number(control.getAttribute('minlength') ?? 0)
  return control.value !== '' && [...control.value].length < min ? say('tooShort', { min }) : undefined
}
