import { type FieldFault, invalidBody } from '#platform/errors.ts'
import { checkOf, isDate, Misfit } from '../evaluation/check-value.ts'
import type { FormType, Settings } from '../schema.ts'
import { conditionFaults, type Fault } from './check-conditions.ts'
import type { Field, FieldType, Validation } from './field-schema.ts'
import { compilePattern, MAX_SIZE_OF_FORM } from './pattern.ts'

/** The parts of a form that must be consistent with each other. */
export interface Definition {
  readonly type: FormType
  readonly fields: readonly Field[]
  readonly settings: Settings
}

const LENGTH = ['min_length', 'max_length'] as const
const TEXT = [...LENGTH, 'pattern'] as const
/** The rules that each type of field takes. */
const RULES: Readonly<Record<FieldType, readonly (keyof Validation)[]>> = {
  text: TEXT,
  textarea: TEXT,
  email: TEXT,
  url: TEXT,
  phone: TEXT,
  hidden: TEXT,
  password: LENGTH,
  number: ['min', 'max'],
  date: ['min', 'max'],
  rating: ['max'],
  multi_select: ['min', 'max'],
  file: ['allowed_types', 'max_size'],
  select: [],
  radio: [],
  checkbox: [],
  consent: [],
  section: [],
}
const CHOICES: readonly FieldType[] = ['select', 'multi_select', 'radio']
/** Fields whose value nobody gives in advance. */
const WITHOUT_DEFAULT: readonly FieldType[] = ['file', 'password', 'consent', 'section']
/** Stars of a rating. */
const MOST_RATING = 100

/**
 * Refuses an inconsistent form: it finds the faults that schemas of single values cannot find.
 * @throws ApiError 422 with all faults
 */
export function assertForm(definition: Definition): void {
  const { fields } = definition
  const faults = fields.flatMap((field, i) =>
    [...fieldFaults(field), ...conditionFaults(fields, i), ...twice(fields, i)].map(
      ([place, rule, message]) => ({
        field: place === '' ? `fields[${i}]` : `fields[${i}].${place}`,
        rule,
        message,
      }),
    ),
  )
  faults.push(...settingsFaults(definition))
  if (faults.length === 0) faults.push(...sizeFaults(fields))
  if (faults.length > 0) throw invalidBody(faults)
}

function twice(fields: readonly Field[], i: number): Fault[] {
  const id = fields[i]?.id
  const isFirst = fields.findIndex((field) => field.id === id) === i
  return isFirst ? [] : [['id', 'unique', 'is already the id of another field']]
}

function fieldFaults(field: Field): Fault[] {
  const { type, options, required, validation = {} } = field
  const faults: Fault[] = []
  const isChoice = CHOICES.includes(type)
  if (isChoice && options === undefined)
    faults.push(['options', 'required', `are required for a field of type ${type}`])
  if (!isChoice && options !== undefined)
    faults.push(['options', 'additionalProperties', `are not allowed for a field of type ${type}`])
  const values = options?.map(({ value }) => value) ?? []
  if (new Set(values).size < values.length)
    faults.push(['options', 'unique', 'must not have the same value twice'])
  if (type === 'section' && required)
    faults.push(['required', 'type', 'is not allowed: a section has no value'])
  for (const rule of Object.keys(validation)) {
    if (!RULES[type].some((known) => known === rule))
      faults.push([
        `validation.${rule}`,
        'additionalProperties',
        `is not allowed for a field of type ${type}`,
      ])
  }
  faults.push(...boundFaults(field, validation))
  return faults.length > 0 ? faults : defaultFaults(field)
}

function boundFaults({ type, options }: Field, validation: Validation): Fault[] {
  const { min, max, min_length, max_length, pattern } = validation
  const faults: Fault[] = []
  for (const [name, bound] of Object.entries({ min, max })) {
    if (bound === undefined || fitsBound(type, bound)) continue
    const wanted = { date: 'a date like 2026-11-21', number: 'a number' }[String(type)]
    faults.push([`validation.${name}`, 'type', `must be ${wanted ?? 'a whole number from 0'}`])
  }
  if (faults.length === 0 && min !== undefined && max !== undefined && min > max)
    faults.push(['validation.max', 'minimum', 'must not be less than min'])
  if (type === 'rating' && (Number(max ?? 1) > MOST_RATING || Number(max ?? 1) < 1))
    faults.push(['validation.max', 'maximum', `must be from 1 to ${MOST_RATING}`])
  if (type === 'multi_select' && options !== undefined && Number(min ?? 0) > options.length)
    faults.push(['validation.min', 'maximum', 'must not be greater than the number of options'])
  if (min_length !== undefined && max_length !== undefined && min_length > max_length)
    faults.push(['validation.max_length', 'minimum', 'must not be less than min_length'])
  const compiled = pattern === undefined ? undefined : compilePattern(pattern)
  if (typeof compiled === 'string') faults.push(['validation.pattern', 'pattern', compiled])
  return faults
}

function fitsBound(type: FieldType, bound: number | string): boolean {
  if (type === 'date') return typeof bound === 'string' && isDate(bound)
  if (typeof bound !== 'number') return false
  return type === 'number' || (Number.isInteger(bound) && bound >= 0)
}

function defaultFaults(field: Field): Fault[] {
  if (field.default === undefined) return []
  if (WITHOUT_DEFAULT.includes(field.type))
    return [['default', 'additionalProperties', `is not allowed for a field of type ${field.type}`]]
  const outcome = checkOf({ ...field, required: false })(field.default)
  return outcome instanceof Misfit ? [['default', outcome.rule, outcome.message]] : []
}

function sizeFaults(fields: readonly Field[]): FieldFault[] {
  const sizes = fields.map(({ validation }) => {
    const compiled = validation?.pattern === undefined ? undefined : compilePattern(validation.pattern)
    return typeof compiled === 'object' ? compiled.size : 0
  })
  const size = sizes.reduce((sum, each) => sum + each, 0)
  if (size <= MAX_SIZE_OF_FORM) return []
  return [
    {
      field: 'fields',
      rule: 'pattern',
      message: 'have patterns that together repeat too much: use simpler patterns',
    },
  ]
}

function settingsFaults({ type, fields, settings }: Definition): FieldFault[] {
  const faults: FieldFault[] = []
  const fault = (place: string, rule: string, message: string) =>
    faults.push({ field: `settings.${place}`, rule, message })
  const honeypot = settings.spam?.honeypot
  if (honeypot !== undefined && fields.some(({ id }) => id === honeypot))
    fault('spam.honeypot', 'unique', 'is the id of a field: choose another name')
  const { signup } = settings
  if (signup === undefined) return faults
  if (type !== 'signup') fault('signup', 'additionalProperties', 'is only allowed for forms of type signup')
  const must = (place: string, id: string | undefined, wanted: FieldType, isNeeded: boolean) => {
    if (id === undefined) return
    const field = fields.find((each) => each.id === id)
    if (field?.type !== wanted) fault(`signup.${place}`, 'exists', `must be a field of type ${wanted}`)
    else if (isNeeded && (field.required !== true || !isAlwaysShown(fields, field)))
      fault(`signup.${place}`, 'required', 'must be a required field that is always shown')
  }
  must('email_field', signup.email_field, 'email', true)
  must('password_field', signup.password_field, 'password', true)
  must('full_name_field', signup.full_name_field, 'text', false)
  return faults
}

function isAlwaysShown(fields: readonly Field[], field: Field): boolean {
  const before = fields.slice(0, fields.indexOf(field))
  const section = before.findLast(({ type }) => type === 'section')
  return field.visible_if === undefined && section?.visible_if === undefined
}
