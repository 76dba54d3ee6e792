import { type Child, h, newId } from './dom.ts'
import type { Say } from './errors.ts'
import { type Field, fieldOf } from './fields.ts'

interface Option {
  readonly value: string
  readonly label: string
}

interface SelectOptions {
  readonly name: string
  readonly label: string
  readonly options: readonly Option[]
  readonly value?: string
  readonly onchange?: (value: string) => unknown
}

/** A field with one of several choices. */
export function selectField(say: Say, { name, label, options, value, onchange }: SelectOptions): Field {
  const id = newId()
  const rows: Child[] = options.map((option) => h('option', { value: option.value }, option.label))
  const control = h('select', { id, name, part: 'input' }, ...rows)
  if (value !== undefined) control.value = value
  if (onchange) control.addEventListener('change', () => onchange(control.value))
  return fieldOf(say, { name }, control, h('label', { for: id, part: 'label' }, label))
}
