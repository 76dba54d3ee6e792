import type { Field, FieldType } from '../builder/field-schema.ts'
import type { FieldSummary, Summary } from './schema.ts'

const CHOICES: readonly FieldType[] = ['select', 'multi_select', 'radio']
/** Types of fields with few different values. */
const COUNTED: readonly FieldType[] = [...CHOICES, 'checkbox', 'consent', 'rating']
/** Types of fields that have no value in a submission. */
const WITHOUT_VALUE: readonly FieldType[] = ['section', 'password']

/** Ids of the fields whose single values are counted. */
export const countedFields = (fields: readonly Field[]): string[] =>
  fields.filter(({ type }) => COUNTED.includes(type)).map(({ id }) => id)

interface Counts {
  readonly byStatus: readonly { status: string; submissions: number }[]
  readonly byField: readonly {
    field: string
    answered: number
    min: number | null
    max: number | null
    average: number | null
  }[]
  readonly byValue: readonly { field: string; value: string; count: number }[]
}

/** The counts, for each field. */
export function toSummary(fields: readonly Field[], { byStatus, byField, byValue }: Counts): Summary {
  const ofStatus = (status: string) => byStatus.find((row) => row.status === status)?.submissions ?? 0
  const values = Map.groupBy(byValue, ({ field }) => field)
  return {
    submissions: ofStatus('received'),
    spam: ofStatus('spam'),
    fields: fields
      .filter(({ type }) => !WITHOUT_VALUE.includes(type))
      .map((field) => {
        const row = byField.find((each) => each.field === field.id)
        return {
          id: field.id,
          label: field.label,
          type: field.type,
          answered: row?.answered ?? 0,
          ...(COUNTED.includes(field.type) && { values: toValues(field, values.get(field.id) ?? []) }),
          ...(isNumeric(field) &&
            row !== undefined &&
            row.min !== null &&
            row.max !== null &&
            row.average !== null && { min: row.min, max: row.max, average: row.average }),
        }
      }),
  }
}

const isNumeric = ({ type }: Field) => type === 'number' || type === 'rating'

/** All options, also those that nobody chose, and then values that are no longer options. */
function toValues(field: Field, counted: Counts['byValue']): NonNullable<FieldSummary['values']> {
  const options = CHOICES.includes(field.type) ? (field.options ?? []) : []
  const known = options.map(({ value, label }) => ({
    value,
    label: label ?? value,
    count: counted.find((each) => each.value === value)?.count ?? 0,
  }))
  const others = counted
    .filter(({ value }) => !options.some((option) => option.value === value))
    .map(({ value, count }) => ({ value, label: value, count }))
    .sort((a, b) => a.value.localeCompare(b.value, 'en', { numeric: true }))
  return [...known, ...others]
}
