import { type FieldFault, invalidBody } from '#platform/errors.ts'
import type { Question, QuizInput } from './schema.ts'

type Fault = Omit<FieldFault, 'field'> & { readonly at: string }

/** What each type of question needs besides its text, and what others it must not have. */
const NEEDED: Readonly<Record<Question['type'], readonly (keyof Question)[]>> = {
  single: ['options', 'correct_options'],
  multiple: ['options', 'correct_options'],
  text: ['accepted_texts'],
  number: ['correct_number'],
}
const ALLOWED: Readonly<Record<Question['type'], readonly (keyof Question)[]>> = {
  ...NEEDED,
  number: ['correct_number', 'tolerance'],
}
const OF_TYPES = ['options', 'correct_options', 'accepted_texts', 'correct_number', 'tolerance'] as const

/** Checks what no schema says of a quiz. @throws ApiError 422 with all faults */
export function checkQuiz({ questions, pools = [] }: QuizInput): void {
  const faults = questions.flatMap((question, i) => [
    ...faultsOf(question).map(({ at, ...fault }) => ({ ...fault, field: `questions[${i}].${at}` })),
    ...(questions.findIndex(({ id }) => id === question.id) < i
      ? [{ field: `questions[${i}].id`, rule: 'unique', message: 'is already the name of another question' }]
      : []),
    ...(question.pool !== undefined && !pools.some(({ name }) => name === question.pool)
      ? [{ field: `questions[${i}].pool`, rule: 'exists', message: 'is not the name of a pool' }]
      : []),
  ])
  for (const [i, { name, draw }] of pools.entries()) {
    const size = questions.filter(({ pool }) => pool === name).length
    if (pools.findIndex((other) => other.name === name) < i)
      faults.push({
        field: `pools[${i}].name`,
        rule: 'unique',
        message: 'is already the name of another pool',
      })
    if (draw > size)
      faults.push({
        field: `pools[${i}].draw`,
        rule: 'maximum',
        message: `must be at most ${size}: the pool has no more questions`,
      })
  }
  if (faults.length > 0) throw invalidBody(faults)
}

function faultsOf(question: Question): Fault[] {
  const { type, options = [], correct_options = [] } = question
  const missing = NEEDED[type]
    .filter((field) => question[field] === undefined)
    .map((field) => ({ at: field, rule: 'required', message: `is required for the type ${type}` }))
  const alien = OF_TYPES.filter(
    (field) => question[field] !== undefined && !ALLOWED[type].includes(field),
  ).map((field) => ({ at: field, rule: 'type', message: `is not allowed for the type ${type}` }))
  const ids = options.map(({ id }) => id)
  const double = ids.flatMap((id, i) =>
    ids.indexOf(id) < i
      ? [{ at: `options[${i}].id`, rule: 'unique', message: 'is already the name of another option' }]
      : [],
  )
  const unknown = correct_options.flatMap((id, i) =>
    ids.includes(id)
      ? []
      : [{ at: `correct_options[${i}]`, rule: 'exists', message: 'is not the id of an option' }],
  )
  const many =
    type === 'single' && correct_options.length > 1
      ? [{ at: 'correct_options', rule: 'maxItems', message: 'must have one option for the type single' }]
      : []
  return [...missing, ...alien, ...double, ...unknown, ...many]
}
