import {
  Ajv,
  type ErrorObject,
  type KeywordDefinition,
  type Options,
  type SchemaValidateFunction,
  type ValidateFunction,
} from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { invalidParameters, notFound } from '../../errors.ts'
import { isCommon } from '../../secrets/passwords.ts'
import { isCurrency } from '../../values/money.ts'
import { EARLIEST, isMoment } from '../date-range.ts'
import { EMAIL_LENGTH, METADATA_DEPTH, METADATA_KEYS, validationError } from './validation-error.ts'

const METADATA_BYTES = 16 * 1024

const metadataKeyword: KeywordDefinition = {
  keyword: 'metadata',
  type: 'object',
  schemaType: 'boolean',
  errors: false,
  validate: (_schema: boolean, value: object) => fitsAsMetadata(value, METADATA_BYTES),
}

const emptyInPlaceOfNull: SchemaValidateFunction = (_schema, _value, _parent, at) => {
  if (at !== undefined) at.parentData[at.parentDataProperty] = ''
  return true
}
/** Null for an optional text becomes the empty string. */
const nullIsEmptyKeyword: KeywordDefinition = {
  keyword: 'nullIsEmpty',
  type: 'null',
  schemaType: 'boolean',
  errors: false,
  modifying: true,
  validate: emptyInPlaceOfNull,
}

const trimmed: SchemaValidateFunction = (_schema, value: string, _parent, at) => {
  const text = value.trim()
  if (at !== undefined) at.parentData[at.parentDataProperty] = text
  // An empty text breaks `minLength`, also in the second look at a body with a fault.
  return text !== '' || value === ''
}
/** A text is taken without the white space around it, and something is left of it. */
const filledKeyword: KeywordDefinition = {
  keyword: 'filled',
  type: 'string',
  schemaType: 'boolean',
  errors: false,
  modifying: true,
  validate: trimmed,
}

/** Whether an object may be stored as free-form data. @param bytes the largest size of its JSON */
export const fitsAsMetadata = (value: object, bytes: number): boolean =>
  Object.keys(value).length <= METADATA_KEYS &&
  isStorable(value, METADATA_DEPTH) &&
  Buffer.byteLength(JSON.stringify(value)) <= bytes

/**
 * Whether a value has at most this number of levels, and only numbers that JSON can express (`1e999` is read as
 * infinite).
 */
function isStorable(value: unknown, levels: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((inner) => isStorable(inner, levels - 1))
}

function makeAjv(options: Options): Ajv {
  // Schemas are ours: to check them against the schema of schemas takes longer than to compile them.
  const ajv = new Ajv({ strict: false, validateSchema: false, ...options })
  addFormats.default(ajv)
  const isEmail = ajv.formats.email as RegExp
  // Spaces around an email address are a typing error; they are trimmed before the address is stored.
  ajv.addFormat('email', (text: string) => text.trim().length <= EMAIL_LENGTH && isEmail.test(text.trim()))
  const { validate: isTimestamp } = ajv.formats['date-time'] as { validate: (text: string) => boolean }
  // RFC 3339 has leap seconds, which `Date` reads as NaN, and a year 0, which PostgreSQL does not have.
  ajv.addFormat('date-time', (text: string) => isTimestamp(text) && Date.parse(text) >= EARLIEST)
  ajv.addFormat('web-url', (text: string) => URL.canParse(text) && /^https?:/i.test(text))
  ajv.addFormat('currency', isCurrency)
  // In the API's document this format tells clients to hide the input; here it refuses common passwords for new ones.
  ajv.addFormat('password', (text: string) => !isCommon(text))
  ajv.addFormat('date-or-time', isMoment)
  ajv.addKeyword(metadataKeyword)
  ajv.addKeyword(nullIsEmptyKeyword)
  ajv.addKeyword(filledKeyword)
  return ajv
}

/** Validates bodies: no value is converted and no field is removed. Defaults are filled in. */
const bodies = makeAjv({ useDefaults: true, verbose: true })
/** The same, but it collects all faults instead of the first one. */
const faultyBodies = makeAjv({ useDefaults: true, allErrors: true, verbose: true })
/** Validates query strings and paths, which are text: numbers and booleans are parsed from it. */
const texts = makeAjv({ useDefaults: true, coerceTypes: true, allErrors: true, verbose: true })

/**
 * The number of values in a body up to which all faults are collected: 1 MB can hold about 700,000, which takes
 * seconds.
 */
const THOROUGH_UP_TO = 20_000

/** The function that Fastify calls to check a part of a request; `errors` are those of the last call. */
interface Validator {
  (value: unknown): boolean
  errors: ErrorObject[] | null
}

/**
 * Checks requests for Fastify. Each schema is compiled at its first use: compiling all of them takes longer than the
 * rest of the start.
 */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
  httpPart === 'body' ? bodyValidator(schema) : textValidator(schema)

function textValidator(schema: object): Validator {
  let check: ValidateFunction | undefined
  const validate: Validator = (value) => {
    check ??= texts.compile(schema)
    const fits = check(value)
    validate.errors = check.errors ?? null
    return fits
  }
  validate.errors = null
  return validate
}

/**
 * Stops at the first fault, because most bodies have none; only a body with a fault is checked again for all faults.
 */
function bodyValidator(schema: object): Validator {
  let check: ValidateFunction | undefined
  let checkAll: ValidateFunction | undefined
  const validate: Validator = (body) => {
    check ??= bodies.compile(schema)
    if (check(body)) return true
    validate.errors = check.errors ?? null
    if (isLarger(body, THOROUGH_UP_TO)) return false
    checkAll ??= faultyBodies.compile(schema)
    checkAll(body)
    validate.errors = checkAll.errors ?? null
    return false
  }
  validate.errors = null
  return validate
}

/**
 * Checks a body by a schema that depends on what is in it, as if it were the schema of its route.
 * @returns a function that throws ApiError 422 with all faults
 */
export function bodyCheck(schema: object): (body: unknown) => void {
  const validate = bodyValidator(schema)
  return (body) => {
    if (!validate(body)) throw validationError(validate.errors, 'body')
  }
}

/** Whether a value contains more than this number of values. It stops counting there. */
function isLarger(root: unknown, limit: number): boolean {
  const stack = [root]
  for (let seen = 0; stack.length > 0; seen++) {
    if (seen + stack.length > limit) return true
    const value = stack.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const name in value) {
      stack.push(value[name as keyof typeof value])
      if (stack.length > limit) return true
    }
  }
  return false
}

/**
 * Refuses what no parameter may contain, whatever its schema: percent-encoding that is not UTF-8, and NUL characters,
 * which PostgreSQL cannot store. Such a path names nothing; its encoding is checked by the router.
 * @throws ApiError 400, or 404 for a path
 */
export function refuseUnreadable(url: string): void {
  if (!url.includes('%')) return
  const end = url.includes('?') ? url.indexOf('?') : url.length
  if (url.slice(0, end).includes('%00')) throw notFound('Resource')
  const faults = url
    .slice(end + 1)
    .split('&')
    .filter((part) => !isReadable(part))
    .map((part) => ({
      field: part.split('=')[0] ?? '',
      rule: 'encoding',
      message: 'must be UTF-8 without NUL characters',
    }))
  if (faults.length > 0) throw invalidParameters(faults)
}

function isReadable(encoded: string): boolean {
  try {
    return !decodeURIComponent(encoded).includes('\0')
  } catch {
    return false
  }
}
