import type { ReactNode } from 'react'
import type { FormField } from '../../data/form-fields.ts'
import { t, wordOf } from '../../data/words.ts'
import { Checkbox } from '../checkbox/checkbox.tsx'
import { Checkboxes } from '../checkboxes/checkboxes.tsx'
import { MoneyField } from '../money-field/money-field.tsx'
import { Select } from '../select/select.tsx'
import { TextArea } from '../text-area/text-area.tsx'
import { TextField } from '../text-field/text-field.tsx'
import type { Draft, DraftValue } from './values.ts'

export interface Option {
  readonly id: string
  readonly name: string
}

/** What a control of one's own is given. */
export interface ControlProps {
  readonly label: string
  readonly name: string
  readonly value: DraftValue
  readonly onChange: (value: DraftValue) => void
  readonly description: string | undefined
  readonly error: string | undefined
  readonly isRequired: boolean
  /** All that is typed. */
  readonly draft: Draft
}

/** How a field is shown where its type alone does not say it. */
export type Control =
  | 'text'
  | 'textarea'
  | 'code'
  | 'color'
  | { readonly money: string | ((draft: Draft) => string) }
  | { readonly options: readonly Option[] }
  | ((props: ControlProps) => ReactNode)

/** Characters from which on a text has several lines. */
const LONG_TEXT = 500

interface LeafProps extends ControlProps {
  readonly field: FormField
  readonly control: Control | undefined
  readonly autoFocus: boolean
}

/** The control of a field that has no others in it. */
export function Leaf({ field, control, autoFocus, ...props }: LeafProps) {
  if (typeof control === 'function') return control(props)
  const { draft, value, isRequired, ...shared } = props
  const texts = { ...shared, value: String(value ?? ''), autoFocus, isRequired }
  if (typeof control === 'object' && 'money' in control)
    return (
      <MoneyField
        {...texts}
        currency={typeof control.money === 'string' ? control.money : control.money(draft)}
      />
    )
  if (typeof control === 'object') return <Choice {...props} field={field} options={control.options} />
  if (field.type === 'boolean' && !field.nullable)
    return <Checkbox {...shared} isChosen={value === true} onChange={props.onChange} />
  if (field.type === 'boolean')
    return <Choice {...props} field={field} options={['true', 'false'].map(optionOfBoolean)} />
  if (field.words) return <Choice {...props} field={field} options={field.words.map(optionOf)} />
  if (field.type === 'list') return <Words {...props} words={field.item?.words ?? []} />
  if (field.type === 'value' || control === 'code') return <TextArea {...texts} isCode rows={6} />
  const isLong = control === 'textarea' || (control === undefined && (field.max ?? 0) >= LONG_TEXT)
  if (field.type === 'text' && isLong && field.format === undefined) return <TextArea {...texts} />
  return <TextField {...texts} type={typeOf(field, control)} {...numeric(field)} />
}

const numeric = ({ type }: FormField) =>
  type === 'integer'
    ? { inputMode: 'numeric' as const }
    : type === 'number'
      ? { inputMode: 'decimal' as const }
      : {}

const TYPES = { email: 'email', uri: 'url', password: 'password', 'date-time': 'datetime-local' } as const

const typeOf = ({ format }: FormField, control: Control | undefined) =>
  control === 'color' ? 'color' : (TYPES[format as keyof typeof TYPES] ?? 'text')

const optionOf = (word: string): Option => ({ id: word, name: wordOf(word) })
const optionOfBoolean = (word: string): Option => ({ id: word, name: word === 'true' ? t('Yes') : t('No') })

interface ChoiceProps extends ControlProps {
  readonly field: FormField
  readonly options: readonly Option[]
}

/** One of several; "none" where nothing need be chosen, or nothing is chosen yet. */
function Choice({ field, options, value, label, description, onChange, error }: ChoiceProps) {
  const chosen = String(value ?? '')
  const isKnown = options.some(({ id }) => id === chosen)
  const mayBeNone = !field.required || field.nullable
  return (
    <Select
      label={label}
      isLabelShown
      description={description}
      options={[
        ...(mayBeNone || chosen === '' ? [{ id: '', name: t('None') }] : []),
        // A value that has gone from the choices is not lost by saving.
        ...(chosen === '' || isKnown ? [] : [{ id: chosen, name: chosen }]),
        ...options,
      ]}
      value={chosen}
      onChange={onChange}
      error={error}
    />
  )
}

interface WordsProps extends ControlProps {
  readonly words: readonly string[]
}

/** Several of the words of the API. */
function Words({ words, value, label, description, onChange, error }: WordsProps) {
  return (
    <Checkboxes
      label={label}
      {...(description !== undefined && { description })}
      options={words}
      titleOf={(word) => wordOf(word)}
      chosen={value as readonly string[]}
      onChange={onChange}
      error={error}
    />
  )
}
