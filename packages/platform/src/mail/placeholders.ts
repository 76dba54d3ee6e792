import type { FieldFault } from '../errors.ts'

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*\}\}/g

/** A text with its placeholders filled in, in one pass: what a value contains is never taken for a placeholder. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (_whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  )
}

/** What is wrong with the placeholders of a text that a customer wrote: one fault for each that nothing fills in. */
export function placeholderFaults(field: string, text: string, known: readonly string[]): FieldFault[] {
  const list = known.map((name) => `{{${name}}}`).join(', ')
  const unknown = [...text.matchAll(PLACEHOLDER)]
    .filter(([, name]) => !known.includes(name ?? ''))
    .map(([whole]) => `has the unknown placeholder ${whole}. Known: ${list}`)
  const rest = text.replaceAll(PLACEHOLDER, '')
  const broken = /\{\{|\}\}/.test(rest) ? ['has a placeholder that is not written like {{name}}'] : []
  return [...unknown, ...broken].map((message) => ({ field, rule: 'placeholder', message }))
}
