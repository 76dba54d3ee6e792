import type { FormField } from '../../../sdk/src/guildhall.ts'
import { fill, h, newId } from '../base/dom.ts'
import type { Say } from '../base/errors.ts'
import { type Field, field, fieldOf, note } from '../base/fields.ts'
import type { Answer } from './conditions.ts'
import type { FormKey } from './texts.en.ts'

/** A field of a form, as it is filled in. */
export interface Input extends Field {
  /** What was entered; undefined where nothing was. */
  readonly answer: () => Answer
  /** Takes what was entered before. */
  readonly setAnswer: (answer: Answer) => void
  /** The file of a file field. */
  readonly files?: () => FileList | null
  readonly setFiles?: (files: FileList | null) => void
}

/** Says the texts of forms. */
export type SayOfForm = (key: FormKey, values?: Readonly<Record<string, string | number>>) => string

const RATING = 5
/** What a browser can fill in by itself. */
const TYPES: Readonly<Record<string, { type: string; autocomplete?: string; inputmode?: string }>> = {
  email: { type: 'email', autocomplete: 'email' },
  url: { type: 'url', autocomplete: 'url' },
  phone: { type: 'tel', autocomplete: 'tel' },
  number: { type: 'number' },
  date: { type: 'date' },
  password: { type: 'password', autocomplete: 'new-password' },
  textarea: { type: 'textarea' },
}

/** The control of a field, or undefined for one that has none. */
export function inputOf(say: Say, sayHere: SayOfForm, of: FormField): Input | undefined {
  switch (of.type) {
    case 'section':
      return undefined
    case 'hidden':
      return hiddenInput(of)
    case 'checkbox':
    case 'consent':
      return boxInput(say, of)
    case 'select':
      return selectInput(say, sayHere, of)
    case 'radio':
    case 'multi_select':
      return choicesInput(say, of, optionsOf(of))
    case 'rating':
      return ratingInput(say, sayHere, of)
    case 'file':
      return fileInput(say, of)
    default:
      return textInput(say, of)
  }
}

const helpOf = ({ help_text: help }: FormField) => (help ? { help } : {})
const optionsOf = ({ options = [] }: FormField) =>
  options.map(({ value, label = value }) => ({ value, label }))

function textInput(say: Say, of: FormField): Input {
  const { id: name, label, required = false, placeholder, validation = {} } = of
  const { type, autocomplete, inputmode } = TYPES[of.type] ?? { type: 'text' }
  const { min, max, min_length, max_length } = validation
  const attributes = {
    ...{ placeholder, min, max, autocomplete, inputmode, minlength: min_length, maxlength: max_length },
    ...(type === 'number' && { step: 'any' }),
  }
  const made = field(say, { name, label, type, required, ...helpOf(of), attributes })
  const control = made.element.querySelector<HTMLInputElement | HTMLTextAreaElement>('input,textarea')
  const isNumber = type === 'number'
  return {
    ...made,
    answer: () => {
      const text = control?.value ?? ''
      return text.trim() === '' ? undefined : isNumber ? Number(text) : text
    },
    setAnswer: (answer) => {
      if (control) control.value = answer === undefined ? '' : String(answer)
    },
  }
}

function hiddenInput({ id: name }: FormField): Input {
  let kept: Answer
  return {
    ...{ name, element: h('div', { class: 'always' }) },
    value: () => kept,
    focus: () => undefined,
    setFault: () => undefined,
    check: () => undefined,
    answer: () => kept,
    setAnswer: (answer) => {
      kept = answer
    },
  }
}

function boxInput(say: Say, of: FormField): Input {
  const { id: name, label, required = false } = of
  const id = newId()
  const control = h('input', { type: 'checkbox', id, name, required })
  const words = h('label', { for: id, part: 'label' }, h('bdi', {}, label), note(say, required))
  return {
    ...fieldOf(say, { name, ...helpOf(of) }, control, words),
    // A box that was never ticked says no.
    answer: () => control.checked,
    setAnswer: (answer) => {
      control.checked = answer === true
    },
  }
}

function selectInput(say: Say, sayHere: SayOfForm, of: FormField): Input {
  const { id: name, label, required = false } = of
  const id = newId()
  const control = h(
    'select',
    { id, name, required, part: 'input' },
    h('option', { value: '' }, sayHere('choose')),
    ...optionsOf(of).map((option) => h('option', { value: option.value }, option.label)),
  )
  const words = h('label', { for: id, part: 'label' }, h('bdi', {}, label), note(say, required))
  return {
    ...fieldOf(say, { name, ...helpOf(of) }, control, words),
    answer: () => control.value || undefined,
    setAnswer: (answer) => {
      control.value = String(answer ?? '')
    },
  }
}

function fileInput(say: Say, of: FormField): Input {
  const { id: name, label, required = false, validation = {} } = of
  const accept = validation.allowed_types?.join(',')
  const made = field(say, { name, label, type: 'file', required, ...helpOf(of), attributes: { accept } })
  const control = made.element.querySelector('input')
  return {
    ...made,
    answer: () => control?.files?.[0]?.name,
    setAnswer: () => undefined,
    files: () => control?.files ?? null,
    setFiles: (files) => {
      if (control) control.files = files
    },
  }
}

function ratingInput(say: Say, sayHere: SayOfForm, of: FormField): Input {
  const max = Number(of.validation?.max ?? RATING)
  const options = Array.from({ length: max }, (_, i) => {
    const value = String(i + 1)
    return { value, label: value, name: sayHere('stars', { n: i + 1, max }) }
  })
  const made = choicesInput(say, of, options, 'choices rating')
  return {
    ...made,
    answer: () => {
      const chosen = made.answer()
      return chosen === undefined ? undefined : Number(chosen)
    },
  }
}

interface Choice {
  readonly value: string
  readonly label: string
  /** What is read aloud, where the label says too little. */
  readonly name?: string
}

/** One of several choices, or any of them. */
function choicesInput(say: Say, of: FormField, options: readonly Choice[], kind = 'choices'): Input {
  const { id: name, label, required = false, help_text: help } = of
  const isMany = of.type === 'multi_select'
  const faultId = newId()
  const fault = h('p', { class: 'fault', id: faultId, part: 'fault' })
  // Radio buttons of a name are one group as far as their form, so the name is the form's own.
  const controls = options.map(({ value, name: spoken }) =>
    h('input', {
      ...{ type: isMany ? 'checkbox' : 'radio', id: newId(), name, value, 'aria-label': spoken },
      required: required && !isMany,
    }),
  )
  const rows = options.map((option, i) => {
    const control = controls[i]
    return h('div', { class: 'row' }, control, h('label', { for: control?.id }, h('bdi', {}, option.label)))
  })
  const element = h(
    'fieldset',
    { class: 'field', part: 'field' },
    h('legend', { part: 'label' }, h('bdi', {}, label), note(say, required)),
    h('div', { class: kind }, ...rows),
    help && h('p', { class: 'help' }, help),
    fault,
  )
  const setFault = (text?: string) => {
    fill(fault, text)
    for (const control of controls) {
      if (text === undefined) control.removeAttribute('aria-describedby')
      else control.setAttribute('aria-describedby', faultId)
    }
  }
  element.addEventListener('change', () => setFault())
  const chosen = () => controls.filter(({ checked }) => checked).map(({ value }) => value)
  return {
    ...{ name, element, setFault, value: chosen },
    focus: () => (controls.find(({ checked }) => checked) ?? controls[0])?.focus(),
    check: () => (required && chosen().length === 0 ? say('required') : undefined),
    answer: () => {
      const [first] = chosen()
      return first === undefined ? undefined : isMany ? chosen() : first
    },
    setAnswer: (answer) => {
      const wanted = (Array.isArray(answer) ? answer : [answer]).map(String)
      for (const control of controls) control.checked = wanted.includes(control.value)
    },
  }
}
