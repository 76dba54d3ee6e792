import { isUtf8 } from 'node:buffer'
import { ApiError, type FieldFault, invalidBody, invalidField, MAX_FAULTS } from '../../errors.ts'

/** No schema accepts deeper bodies; the limit keeps recursion over a body cheap. */
const MAX_DEPTH = 32

/** Escapes can hide NUL bytes, lone surrogates and `__proto__`; a text without these patterns needs no check. */
const SUSPICIOUS = /\\u|__proto__/

/**
 * A JSON body as a value, or undefined where it is empty.
 * @throws ApiError 400 INVALID_JSON; 422 for characters that cannot be stored, `__proto__` and endless nesting
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined
  if (!isUtf8(body)) throw new ApiError(400, 'INVALID_JSON', 'The request body is not valid UTF-8')
  const text = body.toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ApiError(400, 'INVALID_JSON', `The request body is not valid JSON: ${(error as Error).message}`)
  }
  if (isDeep(text)) throw invalidField('', 'depth', `must not nest deeper than ${MAX_DEPTH} levels`)
  const faults = SUSPICIOUS.test(text) ? findFaults(value) : []
  if (faults.length > 0) throw invalidBody(faults)
  return value
}

/** Whether JSON text nests deeper than allowed. */
function isDeep(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (isInText) {
      if (c === BACKSLASH) i++
      else if (c === QUOTE) isInText = false
    } else if (c === QUOTE) isInText = true
    else if (c === OPEN_OBJECT || c === OPEN_ARRAY) {
      if (++depth > MAX_DEPTH) return true
    } else if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) depth--
  }
  return false
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
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
