import { isUtf8 } from 'node:buffer'
import { ApiError, type FieldFault, invalidBody, invalidField, MAX_FAULTS } from '../../errors.ts'

/** No schema accepts deeper bodies; the limit keeps recursion over a body cheap. */
const MAX_DEPTH = 32
/** More fields than any object of a schema has, and more entries than any list. */
const MAX_FIELDS = 1_000
const MAX_ENTRIES = 10_000
/** In all. A bulk request of 1,000 members with 50 keys of metadata each has 60,000. */
const MAX_VALUES = 100_000

/** Escapes can hide NUL bytes, lone surrogates and `__proto__`; a text without these patterns needs no check. */
const SUSPICIOUS = /\\u|__proto__/

/**
 * A JSON body as a value, or undefined where it is empty.
 * @throws ApiError 400 INVALID_JSON; 422 for characters that cannot be stored, `__proto__`, and too many levels or values
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new ApiError(400, 'INVALID_JSON', 'The request body is not valid UTF-8')
  const text = body.toString()
  // Before it is parsed: to make hundreds of thousands of values takes longer than all other work on a request.
  const excess = excessOf(text)
  if (excess !== undefined) throw invalidField('', ...excess)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ApiError(400, 'INVALID_JSON', `The request body is not valid JSON: ${(error as Error).message}`)
  }
  const faults = SUSPICIOUS.test(text) ? findFaults(value) : []
  if (faults.length > 0) throw invalidBody(faults)
  return value
}

/** What JSON text has too much of, where it does: levels, fields of an object, entries of a list, or values in all. */
function excessOf(text: string): readonly [rule: string, message: string] | undefined {
  /** How many more values the object or list that is open may have, and those around it. */
  let left = Number.POSITIVE_INFINITY
  const around: number[] = []
  let values = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === QUOTE) i = endOfText(text, i)
    else if (c === COMMA) {
      values += 1
      left -= 1
      if (left === 0 || values === MAX_VALUES) return TOO_MANY
    } else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (around.push(left) > MAX_DEPTH) return TOO_DEEP
      left = c === OPEN_OBJECT ? MAX_FIELDS : MAX_ENTRIES
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) left = around.pop() ?? left
  }
  return undefined
}

const TOO_DEEP = ['depth', `must not nest deeper than ${MAX_DEPTH} levels`] as const
const TOO_MANY = [
  'size',
  `must have at most ${MAX_VALUES} values, ${MAX_FIELDS} fields of one object and ${MAX_ENTRIES} entries of one list`,
] as const

/** The place of the quote that ends a text, or of the end. */
function endOfText(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && text.charCodeAt(end) !== QUOTE)
    end += text.charCodeAt(end) === BACKSLASH ? 2 : 1
  return end
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d]

/** A value inside a body, and its position; the path is built only if there is a fault. */
interface Place {
  readonly value: unknown
  /** A field's name, or a place in an array. */
  readonly step: string
  readonly parent: Place | undefined
}

function findFaults(root: unknown): FieldFault[] {
  const faults: FieldFault[] = []
  const stack: Place[] = [{ value: root, step: '', parent: undefined }]
  for (let place = stack.pop(); place !== undefined && faults.length < MAX_FAULTS; place = stack.pop()) {
    const { value } = place
    if (typeof value === 'string') checkText(value, place, faults)
    if (typeof value !== 'object' || value === null) continue
    for (const [step, inner] of Object.entries(value)) {
      const next = { value: inner, step, parent: place }
      if (!Array.isArray(value)) checkName(step, next, faults)
      stack.push(next)
    }
  }
  return faults
}

function checkName(name: string, place: Place, faults: FieldFault[]): void {
  checkText(name, place, faults)
  if (name === '__proto__')
    faults.push({ field: pathOf(place), rule: 'name', message: 'is not an allowed name' })
}

function checkText(text: string, place: Place, faults: FieldFault[]): void {
  const fault = (message: string) => faults.push({ field: pathOf(place), rule: 'characters', message })
  if (text.includes('\0')) fault('must not contain NUL characters')
  if (!text.isWellFormed()) fault('must not contain lone surrogates')
}

/** Like `a.b[0]`. */
function pathOf({ step, parent }: Place): string {
  if (parent === undefined) return ''
  const base = pathOf(parent)
  if (Array.isArray(parent.value)) return `${base}[${step}]`
  return base === '' ? step : `${base}.${step}`
}
