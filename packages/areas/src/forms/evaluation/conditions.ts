import type { Condition, Field, VisibleIf } from '../builder/field-schema.ts'
import type { Value } from '../submissions/schema.ts'

/** Values of the fields that are shown and filled in, by field id. */
export type Answers = ReadonlyMap<string, Value>

/** Whether a field's conditions let it be shown; those of its section are not asked. */
export function isShown({ visible_if }: Pick<Field, 'visible_if'>, answers: Answers): boolean {
  return visible_if === undefined || holds(visible_if, answers)
}

function holds({ match, conditions }: VisibleIf, answers: Answers): boolean {
  const isTrue = (condition: Condition) => isMet(condition, answers.get(condition.field))
  return match === 'any' ? conditions.some(isTrue) : conditions.every(isTrue)
}

function isMet({ operator, value: wanted }: Condition, value: Value | undefined): boolean {
  switch (operator) {
    case 'is_empty':
      return isEmpty(value)
    case 'is_not_empty':
      return !isEmpty(value)
    case 'equals':
      return equals(value, wanted)
    case 'not_equals':
      return !equals(value, wanted)
    case 'contains':
      return contains(value, wanted)
    case 'not_contains':
      return !contains(value, wanted)
    case 'greater_than':
      return value !== undefined && wanted !== undefined && value > wanted
    case 'less_than':
      return value !== undefined && wanted !== undefined && value < wanted
  }
}

/** A box that is not ticked is empty too. */
const isEmpty = (value: Value | undefined) => value === undefined || value === false

/** Of several choices, whether it is that one alone. */
const equals = (value: Value | undefined, wanted: Condition['value']) =>
  Array.isArray(value) ? value.length === 1 && value[0] === wanted : value === wanted

/** A choice, or a part of a text in upper or lower case. */
function contains(value: Value | undefined, wanted: Condition['value']): boolean {
  if (typeof wanted !== 'string') return false
  if (Array.isArray(value)) return value.includes(wanted)
  return typeof value === 'string' && value.toLowerCase().includes(wanted.toLowerCase())
}
