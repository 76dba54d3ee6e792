import type { FormField } from '@guildhall/sdk'
import { t } from '../../data/words.ts'

/** A value of a submission in words: options by what people read. */
export function shownValue(field: FormField | undefined, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? t('Yes') : t('No')
  if (Array.isArray(value)) return value.map((each) => shownValue(field, each)).join(', ')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return field?.options?.find((option) => option.value === text)?.label ?? text
}
