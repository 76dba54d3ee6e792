import type { Draft } from '../../ui/schema-form/values.ts'

// What fields of each type have: the API refuses anything else.

const CHOICES: ReadonlySet<string> = new Set(['select', 'radio', 'multi_select'])
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(['file', 'password', 'consent', 'section'])
const TEXTS: ReadonlySet<string> = new Set(['text', 'textarea', 'email', 'url', 'phone', 'password'])

export const hasChoices = (type: string): boolean => CHOICES.has(type)

const RULES: Readonly<Record<string, readonly string[]>> = {
  number: ['min', 'max'],
  date: ['min', 'max'],
  rating: ['max'],
  multi_select: ['min', 'max'],
  file: ['allowed_types', 'max_size'],
}

/** The rules that a value of this type can have. */
export const rulesOf = (type: string): readonly string[] =>
  TEXTS.has(type) ? ['min_length', 'max_length', 'pattern'] : (RULES[type] ?? [])

/** The parts of a field of this type, by their names in the API. */
export function partsOf(type: string): readonly string[] {
  if (type === 'section') return ['label', 'id', 'type', 'help_text', 'visible_if']
  return [
    ...['label', 'id', 'type', 'required', 'help_text'],
    ...(TEXTS.has(type) || type === 'number' ? ['placeholder'] : []),
    ...(hasChoices(type) ? ['options'] : []),
    ...(WITHOUT_DEFAULT.has(type) ? [] : ['default']),
    ...(rulesOf(type).length > 0 ? ['validation'] : []),
    'visible_if',
  ]
}

/** An id that no field of the form has. */
export function newIdOf(type: string, fields: readonly Draft[]): string {
  const taken = new Set(fields.map(({ id }) => id))
  let id = type
  for (let number = 2; taken.has(id); number += 1) id = `${type}_${number}`
  return id
}
