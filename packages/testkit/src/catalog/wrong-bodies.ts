import type { Contract, Schema } from './contract.ts'
import { nameOf, type Part, type Path, partsOf, withoutValue, withValue } from './json-paths.ts'

/** A body that must be refused, with the field that is at fault. */
export interface WrongBody {
  readonly what: string
  readonly field: string
  /** As it goes over the wire. */
  readonly text: string
}

/** A value of each type of JSON. */
const VALUES: Readonly<Record<string, unknown>> = {
  null: null,
  boolean: true,
  integer: 1,
  number: 1.5,
  string: 'x',
  array: [],
  object: {},
}

/** Bodies that break one rule of a schema each, made from an example that breaks none. */
export function wrongBodies(contract: Contract, schema: Schema, example: unknown): WrongBody[] {
  return partsOf(contract, schema).flatMap((part) => {
    const { path } = part
    const field = nameOf(path)
    const replaced = wrongValues(part).map(([what, value]) => ({
      what,
      field,
      text: JSON.stringify(withValue(example, path, value)),
    }))
    return [...replaced, ...wrongFields(part, example)]
  })
}

/** Values that must not stand where the part stands. */
function wrongValues({ schema }: Part): [string, unknown][] {
  const types = [schema.type].flat().map(String)
  const accepts = (type: string) => types.includes(type) || (type === 'integer' && types.includes('number'))
  const wrongTypes = Object.entries(VALUES)
    .filter(([type]) => !accepts(type))
    .map(([type, value]): [string, unknown] => [`${type} in place of ${types.join(' or ')}`, value])
  return [
    ...wrongTypes,
    ...(types.includes('string') ? wrongTexts(schema) : []),
    ...(types.includes('integer') || types.includes('number') ? wrongNumbers(schema) : []),
    ...(types.includes('array') ? wrongArrays(schema) : []),
    ...(isFreeForm(schema) ? WRONG_METADATA : []),
  ]
}

function wrongTexts({ minLength, maxLength, enum: words, pattern, format }: Schema): [string, unknown][] {
  const cases: [string, unknown][] = [
    ['a NUL byte', 'a\0b'],
    ['a lone surrogate', 'a\ud800'],
  ]
  if (typeof minLength === 'number' && minLength > 0) cases.push(['too short', 'x'.repeat(minLength - 1)])
  if (typeof maxLength === 'number') cases.push(['too long', 'x'.repeat(maxLength + 1)])
  if (Array.isArray(words)) cases.push(['an unknown word', 'no-such-word'], ['an empty word', ''])
  if (typeof pattern === 'string') {
    const off = ['!?', 'a\u0007b'].find((text) => !new RegExp(pattern, 'u').test(text))
    cases.push(['off the pattern', off], ['a line break', 'member\n'])
  }
  // Of passwords, the most common are refused; everything else is one.
  const off = format === 'password' ? 'password123' : 'nothing of the kind'
  if (format !== undefined) cases.push(['off the format', off], ['empty', ''])
  if (format === 'uri') cases.push(['a script', 'javascript:alert(1)'])
  return cases
}

function wrongNumbers({ minimum, maximum }: Schema): [string, unknown][] {
  const cases: [string, unknown][] = []
  if (typeof minimum === 'number') cases.push(['too small', minimum - 1])
  if (typeof maximum === 'number') cases.push(['too large', maximum + 1])
  return cases
}

function wrongArrays({ minItems, maxItems, uniqueItems, items }: Schema): [string, unknown][] {
  const item = (items as Schema | undefined)?.type === 'string' ? 'x' : {}
  const cases: [string, unknown][] = []
  if (typeof minItems === 'number' && minItems > 0) cases.push(['too few', []])
  if (typeof maxItems === 'number') cases.push(['too many', Array.from({ length: maxItems + 1 }, () => item)])
  if (uniqueItems === true) cases.push(['twice the same', ['x', 'x']])
  return cases
}

const isFreeForm = (schema: Schema) => schema.type === 'object' && schema.additionalProperties === true

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

const WRONG_METADATA: [string, unknown][] = [
  ['51 keys', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]))],
  ['six levels', nested(6)],
  ['more than 16 KiB', { a: 'x'.repeat(16 * 1024) }],
  ['a NUL byte in a name', { 'a\0': 1 }],
  ['a NUL byte inside', { a: [{ b: '\0' }] }],
  ['a lone surrogate inside', { a: '\udc00' }],
]

/** Fields that must not be there, and fields that must. */
function wrongFields({ path, schema }: Part, example: unknown): WrongBody[] {
  if (schema.type !== 'object') return []
  const inside = (name: string): Path => [...path, name]
  // JSON.stringify leaves out what an object literal takes for its prototype, so that it is put in as text.
  const marked = JSON.stringify(withValue(example, inside('no_such_field'), { admin: true }))
  const wrong = [
    {
      what: 'a prototype',
      field: nameOf(inside('__proto__')),
      text: marked.replace('no_such_field', '__proto__'),
    },
  ]
  if (isFreeForm(schema)) {
    const text = marked.replace('{"admin":true}', '[1e999]')
    return [...wrong, { what: 'a number beyond all numbers', field: nameOf(path), text }]
  }
  const required = (schema.required ?? []) as string[]
  return [
    ...wrong,
    ...['no_such_field', 'constructor', 'project_id'].map((name) => ({
      what: 'an unknown field',
      field: nameOf(inside(name)),
      text: marked.replace('no_such_field', name),
    })),
    ...required.map((name) => ({
      what: 'a missing field',
      field: nameOf(inside(name)),
      text: JSON.stringify(withoutValue(example, inside(name))),
    })),
  ]
}
