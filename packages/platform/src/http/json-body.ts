import { isUtf8 } from 'node:buffer'
import { ApiError, type FieldFault, invalidBody } from '../errors.ts'

/** Deeper bodies fit no schema; the bound keeps every later walk short. */
const MAX_DEPTH = 32

/** Escapes could hide NUL bytes, lone surrogates and `__proto__`; without any of these there is nothing to look for. */
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
  const faults = SUSPICIOUS.test(text) || isDeep(text) ? findFaults(value) : []
  if (faults.length > 0) throw invalidBody(faults)
  return value
}

/** Whether the text could nest deeper than allowed; counts brackets, those inside strings included. */
function isDeep(text: string): boolean {
  let open = 0
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if ((c === 0x7b || c === 0x5b) && ++open > MAX_DEPTH) return true
  }
  return false
}

function findFaults(root: unknown): FieldFault[] {
  const faults: FieldFault[] = []
  // A stack instead of recursion: the input decides how deep it goes.
  const stack: { value: unknown; field: string; depth: number }[] = [{ value: root, field: '', depth: 0 }]
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, field, depth } = next
    if (typeof value === 'string') checkText(value, field, faults)
    if (typeof value !== 'object' || value === null) continue
    if (depth === MAX_DEPTH) {
      return [{ field: '', rule: 'depth', message: `must not nest deeper than ${MAX_DEPTH} levels` }]
    }
    for (const [name, inner] of Object.entries(value)) {
      const path = Array.isArray(value) ? `${field}[${name}]` : field === '' ? name : `${field}.${name}`
      if (!Array.isArray(value)) checkText(name, path, faults)
      if (name === '__proto__') faults.push({ field: path, rule: 'name', message: 'is not an allowed name' })
      stack.push({ value: inner, field: path, depth: depth + 1 })
    }
  }
  return faults
}

function checkText(text: string, field: string, faults: FieldFault[]): void {
  if (text.includes('\0'))
    faults.push({ field, rule: 'characters', message: 'must not contain NUL characters' })
  if (!text.isWellFormed())
    faults.push({ field, rule: 'characters', message: 'must not contain lone surrogates' })
}
