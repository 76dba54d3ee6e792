import { isDate } from '../evaluation/check-value.ts'
import type { Condition, Field, FieldType, Operator } from './field-schema.ts'

/** A fault below a field, like `validation.min`; empty for the field itself. */
export type Fault = readonly [place: string, rule: string, message: string]

const EMPTY: readonly Operator[] = ['is_empty', 'is_not_empty']
const EQUAL: readonly Operator[] = [...EMPTY, 'equals', 'not_equals']
const TEXT: readonly Operator[] = [...EQUAL, 'contains', 'not_contains']
const ORDERED: readonly Operator[] = [...EQUAL, 'greater_than', 'less_than']

/** What can be asked of the value of a field. */
const ASKED: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: TEXT,
  textarea: TEXT,
  email: TEXT,
  url: TEXT,
  phone: TEXT,
  hidden: TEXT,
  multi_select: TEXT,
  number: ORDERED,
  rating: ORDERED,
  date: ORDERED,
  select: EQUAL,
  radio: EQUAL,
  checkbox: EQUAL,
  consent: EQUAL,
  file: EMPTY,
  password: EMPTY,
  section: [],
}

/**
 * The faults in the conditions of a field. Conditions may use only fields before it, so that they cannot be circular.
 */
export function conditionFaults(fields: readonly Field[], i: number): Fault[] {
  const conditions = fields[i]?.visible_if?.conditions ?? []
  return conditions.flatMap((condition, at) => {
    const asked = fields.findIndex(({ id }) => id === condition.field)
    return faultsOf(condition, fields[asked], asked < i).map(
      ([place, rule, message]): Fault => [`visible_if.conditions[${at}].${place}`, rule, message],
    )
  })
}

function faultsOf({ operator, value }: Condition, asked: Field | undefined, isBefore: boolean): Fault[] {
  if (asked === undefined) return [['field', 'exists', 'is not a field of this form']]
  if (!isBefore) return [['field', 'order', 'must be a field that comes before this one']]
  if (!ASKED[asked.type].includes(operator))
    return [['operator', 'operator', `cannot be used with a field of type ${asked.type}`]]
  if (EMPTY.includes(operator))
    return value === undefined ? [] : [['value', 'additionalProperties', `must not be sent with ${operator}`]]
  if (value === undefined) return [['value', 'required', `is required with ${operator}`]]
  return valueFaults(asked, operator, value)
}

function valueFaults(asked: Field, operator: Operator, value: unknown): Fault[] {
  switch (asked.type) {
    case 'number':
    case 'rating':
      return typeof value === 'number' ? [] : [['value', 'type', 'must be a number']]
    case 'checkbox':
    case 'consent':
      return typeof value === 'boolean' ? [] : [['value', 'type', 'must be true or false']]
    case 'date':
      return typeof value === 'string' && isDate(value)
        ? []
        : [['value', 'type', 'must be a date like 2026-11-21']]
    case 'select':
    case 'radio':
    case 'multi_select':
      return asked.options?.some((option) => option.value === value)
        ? []
        : [['value', 'option', `must be an option of ${asked.id}`]]
    default:
      return typeof value === 'string' ? [] : [['value', 'type', `must be a text with ${operator}`]]
  }
}
