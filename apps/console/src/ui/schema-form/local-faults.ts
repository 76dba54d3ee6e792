import type { Detail } from '../../data/console-api.ts'
import type { FormField } from '../../data/form-fields.ts'
import { t } from '../../data/words.ts'
import { type Draft, type DraftValue, itemOf, numberOf } from './values.ts'

/** What cannot be sent at all: needed fields that are empty, and numbers that are none. All else the API decides. */
export function localFaults(fields: readonly FormField[], draft: Draft, isNew: boolean): Detail[] {
  return fields.flatMap((field) => faultsOf(field, draft[field.name] ?? '', field.name, isNew))
}

function faultsOf(field: FormField, value: DraftValue, path: string, isNew: boolean): Detail[] {
  const isNumber = field.type === 'integer' || field.type === 'number'
  if (value === '' || value === null) {
    // A number or a choice that a thing has cannot be taken away from it, unless it may be null.
    const mustStay = !isNew && !field.nullable && (isNumber || field.words !== undefined)
    return field.required || mustStay ? [{ field: path, rule: 'required', message: t('This is needed') }] : []
  }
  if (isNumber && Number.isNaN(numberOf(String(value))))
    return [{ field: path, rule: 'type', message: t('This is not a number') }]
  if (field.type === 'list')
    return (value as readonly DraftValue[]).flatMap((each, i) =>
      faultsOf(itemOf(field), each, `${path}[${i}]`, true),
    )
  if (field.type === 'object')
    return (field.fields ?? []).flatMap((inner) =>
      faultsOf(inner, (value as Draft)[inner.name] ?? '', `${path}.${inner.name}`, true),
    )
  return []
}
