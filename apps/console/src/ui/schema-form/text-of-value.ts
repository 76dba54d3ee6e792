import type { FormField } from '../../data/form-fields.ts'
import { t } from '../../data/words.ts'
import type { FieldTexts } from './field.tsx'
import type { DraftValue } from './values.ts'

/** A value of a field in words: what the screen calls it, the name of a choice, or what was typed. */
export function textOfValue(
  { name }: FormField,
  value: DraftValue | undefined,
  { values, controls }: FieldTexts,
): string {
  if (value === undefined || value === null || value === '') return t('None')
  if (Array.isArray(value) && value.length === 0) return t('None')
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  const said = values?.[name]
  if (said !== undefined) return said(value)
  const control = controls?.[name]
  const options = typeof control === 'object' && 'options' in control ? control.options : []
  const option = options.find(({ id }) => id === value)
  if (option !== undefined) return option.name
  return typeof value === 'string' ? t(value) : JSON.stringify(value)
}
