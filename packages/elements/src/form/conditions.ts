import type { FieldCondition, FormField, VisibleIf } from '../../../sdk/src/guildhall.ts'

/** The value of a field; undefined where it is empty or hidden. */
export type Answer = string | number | boolean | string[] | undefined

/** The fields that are shown, as the server decides it: it asks the conditions again when the form is sent. */
export function shownFields(fields: readonly FormField[], answerOf: (id: string) => Answer): Set<string> {
  const shown = new Set<string>()
  let isSectionShown = true
  const answer = (id: string) => (shown.has(id) ? answerOf(id) : undefined)
  for (const { id, type, visible_if } of fields) {
    const isMet = visible_if === undefined || holds(visible_if, answer)
    if (type === 'section') isSectionShown = isMet
    if (isMet && isSectionShown) shown.add(id)
  }
  return shown
}

const holds = ({ match, conditions }: VisibleIf, answer: (id: string) => Answer): boolean => {
  const isTrue = (condition: FieldCondition) => isMet(condition, answer(condition.field))
  return match === 'any' ? conditions.some(isTrue) : conditions.every(isTrue)
}

function isMet({ operator, value: wanted }: FieldCondition, given: Answer): boolean {
  const isEmpty = given === undefined || given === false
  if (operator === 'is_empty' || operator === 'is_not_empty') return isEmpty === (operator === 'is_empty')
  if (operator === 'equals' || operator === 'not_equals') {
    const [only] = Array.isArray(given) && given.length === 1 ? given : [undefined]
    return ((Array.isArray(given) ? only : given) === wanted) === (operator === 'equals')
  }
  if (operator === 'contains' || operator === 'not_contains')
    return contains(given, wanted) === (operator === 'contains')
  if (given === undefined || wanted === undefined) return false
  // What a newer API knows is shown: the server decides.
  return operator === 'greater_than' ? given > wanted : operator === 'less_than' ? given < wanted : true
}

function contains(given: Answer, wanted: FieldCondition['value']): boolean {
  if (typeof wanted !== 'string') return false
  if (Array.isArray(given)) return given.includes(wanted)
  return typeof given === 'string' && given.toLowerCase().includes(wanted.toLowerCase())
}
