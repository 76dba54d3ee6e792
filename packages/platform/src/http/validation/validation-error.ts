import { limitReached } from '../../define-error.ts'
import { type ApiError, type FieldFault, invalidBody, invalidParameters, missingBody } from '../../errors.ts'
import { patternText } from './pattern-texts.ts'

// This file turns the validator's findings into messages that say which value is expected.

export const METADATA_KEYS = 50
export const METADATA_DEPTH = 5
export const EMAIL_LENGTH = 254

type HttpPart = string | undefined

/** What a validator has found. */
interface Finding {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly parentSchema?: unknown
}

/**
 * The error for what a validator found: 422 for a body, 400 for anything else.
 * @param isMissing whether there was no body at all
 */
export function validationError(
  errors: readonly Finding[] | null | undefined,
  httpPart: HttpPart,
  isMissing = false,
): ApiError {
  if (httpPart === 'body' && isMissing) return missingBody()
  const faults = (errors ?? [])
    .filter((error) => error.keyword !== 'if')
    .map((error) => toFault(error, httpPart))
  if (httpPart !== 'body') return invalidParameters(faults)
  const limit = errors?.length === 1 ? limitOf(errors[0]) : undefined
  return limit === undefined ? invalidBody(faults) : limitReached(undefined, { ...limit, details: faults })
}

/** Of a list with more entries than its schema has, which says in `limited` what they are. */
function limitOf(error: Finding | undefined) {
  const { limited } = (error?.parentSchema ?? {}) as { limited?: string }
  if (error?.keyword !== 'maxItems' || limited === undefined) return undefined
  const limit = Number(error.params.limit)
  return { limit, what: limited, message: `There can be at most ${limit} ${limited}` }
}

function toFault(error: Finding, httpPart: HttpPart): FieldFault {
  const base = error.instancePath
    .slice(1)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
  const { params } = error
  const extra = params.missingProperty ?? params.additionalProperty
  return {
    field: typeof extra === 'string' ? join(base, extra) : base,
    rule: ruleOf(error),
    message: messageOf(error, params, httpPart),
  }
}

/** The rule as clients know it. A text of white space is refused as an empty one. */
function ruleOf({ keyword, params }: Finding): string {
  if (keyword === 'filled') return 'minLength'
  return keyword === 'format' && params.format === 'password' ? 'common' : keyword
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

function messageOf(error: Finding, params: Record<string, unknown>, httpPart: HttpPart): string {
  const { limit } = params
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return httpPart === 'body' ? 'is not a known field' : `is not a known parameter${known(error)}`
    case 'enum':
      return `must be one of: ${(params.allowedValues as unknown[]).map(word).join(', ')}`
    case 'const':
      return `must be ${word(params.allowedValue)}`
    case 'type':
      return `must be ${[params.type].flat().map(typeName).join(' or ')}`
    case 'metadata':
      return `must have at most ${METADATA_KEYS} keys, 16 KiB and ${METADATA_DEPTH} levels`
    case 'format':
      return FORMATS[String(params.format)] ?? `must be a valid ${params.format}`
    case 'pattern':
      return `${patternText(String(params.pattern)) ?? `must match the pattern ${params.pattern}`}${example(error)}`
    case 'filled':
      return 'must not be empty'
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`
    case 'minItems':
      return `must have at least ${counted(limit, 'entry')}`
    case 'maxItems':
      return `must have at most ${counted(limit, 'entry')}`
    case 'minProperties':
      return `must have at least ${counted(limit, 'field')}`
    case 'maxProperties':
      return `must have at most ${counted(limit, 'field')}`
    case 'uniqueItems':
      return 'must not have the same entry twice'
    case 'minimum':
      return `must be at least ${limit}`
    case 'maximum':
      return `must be at most ${limit}`
    case 'exclusiveMinimum':
      return `must be greater than ${limit}`
    case 'exclusiveMaximum':
      return `must be less than ${limit}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    default:
      return 'does not match its schema in the reference'
  }
}

/** The names that the schema knows, for the message about an unknown one. */
function known({ parentSchema }: Finding): string {
  const names = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {})
  return names.length === 0 ? '' : `. Known: ${names.join(', ')}`
}

/** A value that fits, where the schema shows one. */
function example({ parentSchema }: Finding): string {
  const [first] = (parentSchema as { examples?: unknown[] } | undefined)?.examples ?? []
  return first === undefined ? '' : `, like ${word(first)}`
}

const word = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const counted = (count: unknown, noun: string) =>
  `${count} ${count === 1 ? noun : noun.replace(/y$/, 'ie').concat('s')}`

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
}
const typeName = (type: unknown) => TYPE_NAMES[String(type)] ?? String(type)

const FORMATS: Readonly<Record<string, string>> = {
  email: `must be an email address of at most ${EMAIL_LENGTH} characters`,
  currency: 'must be an ISO 4217 currency in lower case, like eur',
  password: 'is too common: choose another one',
  'web-url': 'must be an http or https URL',
  'date-time': 'must be an ISO 8601 timestamp',
  'date-or-time': 'must be a date like 2026-11-21 or an ISO 8601 timestamp with its offset',
}
