import type { Parameter, Schema } from './openapi-types.ts'
import type { Reference } from './reference.ts'

/** A field of a body or an answer, as a reader sees it. */
export interface Field {
  readonly name: string
  /** In words, such as `array of strings`. */
  readonly type: string
  readonly isRequired: boolean
  /** Markdown. */
  readonly description: string
  /** Its limits, in words, such as `at most 200 characters`. */
  readonly rules: readonly string[]
  /** The values that there are, where they are listed. */
  readonly values: readonly string[]
  readonly fields: readonly Field[]
}

/** How deep fields in fields are listed. */
const DEPTH = 5

type Resolve = Reference['resolve']

/** The fields of an object, or of the objects of an array. */
export function fieldsOf(
  schema: unknown,
  resolve: Resolve,
  depth = 0,
  seen: readonly unknown[] = [],
): Field[] {
  const whole = resolve<Schema | undefined>(schema)
  if (whole === undefined || depth >= DEPTH || seen.includes(whole)) return []
  const inside = [...seen, whole]
  if (whole['items'] !== undefined) return fieldsOf(whole['items'], resolve, depth, inside)
  const { properties, required } = merged(whole, resolve)
  const own = Object.entries(properties).map(([name, part]) =>
    fieldOf(name, part, required.has(name), resolve, depth, inside),
  )
  const others = whole['additionalProperties']
  const ofMap =
    typeof others === 'object' && others !== null ? fieldsOf(others, resolve, depth + 1, inside) : []
  return [...own, ...ofMap, ...alternatives(whole, resolve, depth, inside, own)]
}

/** The properties of a schema and of all parts that it consists of. */
function merged(schema: Schema, resolve: Resolve) {
  const parts = [schema, ...listOf(schema['allOf']).map((part) => resolve<Schema>(part))]
  return {
    properties: Object.assign({}, ...parts.map((part) => part['properties'] ?? {})) as Record<
      string,
      unknown
    >,
    required: new Set(parts.flatMap((part) => listOf(part['required']) as string[])),
  }
}

/** The fields of a choice: those of each alternative, once by name. */
function alternatives(
  schema: Schema,
  resolve: Resolve,
  depth: number,
  seen: readonly unknown[],
  own: readonly Field[],
): Field[] {
  const names = new Set(own.map(({ name }) => name))
  const all = choicesOf(schema).flatMap((choice) => fieldsOf(choice, resolve, depth, seen))
  return all.filter(({ name }) => {
    if (names.has(name)) return false
    names.add(name)
    return true
  })
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const choicesOf = (schema: Schema): unknown[] => [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])]

function fieldOf(
  name: string,
  given: unknown,
  isRequired: boolean,
  resolve: Resolve,
  depth: number,
  seen: readonly unknown[],
): Field {
  const schema = resolve<Schema>(given) ?? {}
  const described = (given as Schema)['description'] ?? schema['description'] ?? ''
  return {
    name,
    type: typeOf(schema, resolve),
    isRequired,
    description: String(described),
    rules: rulesOf(schema),
    values: valuesOf(schema, resolve),
    fields: fieldsOf(schema, resolve, depth + 1, seen),
  }
}

/** A parameter as a field. */
export function parameterField(parameter: Parameter, resolve: Resolve): Field {
  const { name, required = false, description, schema = {} } = parameter
  const field = fieldOf(name, schema, required, resolve, 0, [])
  return { ...field, description: description ?? field.description }
}

/** A type in words. */
export function typeOf(given: unknown, resolve: Resolve): string {
  const schema = resolve<Schema | undefined>(given) ?? {}
  const choices = choicesOf(schema)
  if (choices.length > 0) return [...new Set(choices.map((choice) => typeOf(choice, resolve)))].join(' or ')
  const types = [schema['type']].flat().filter((type) => type !== undefined)
  if (types.length === 0) return 'const' in schema || 'enum' in schema ? 'string' : inferred(schema)
  return types.map((type) => named(String(type), schema, resolve)).join(' or ')
}

const inferred = (schema: Schema) => ('properties' in schema || 'allOf' in schema ? 'object' : 'any value')

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'timestamp',
  date: 'date',
  email: 'email',
  uri: 'URL',
  binary: 'file',
}

function named(type: string, schema: Schema, resolve: Resolve): string {
  if (type === 'string') return FORMATS[String(schema['format'])] ?? 'string'
  if (type === 'array') return `array of ${plural(typeOf(schema['items'], resolve))}`
  const others = schema['additionalProperties']
  if (type === 'object' && typeof others === 'object' && schema['properties'] === undefined)
    return `map of ${plural(typeOf(others, resolve))}`
  return type
}

const plural = (type: string) =>
  /^(?:any value|array|map)| or /.test(type) ? type.replace(/^any value$/, 'any values') : `${type}s`

/** The values that a field can have, if they are listed. */
function valuesOf(schema: Schema, resolve: Resolve): string[] {
  if ('const' in schema) return [String(schema['const'])]
  const ofChoices = choicesOf(schema).flatMap((choice) => valuesOf(resolve<Schema>(choice) ?? {}, resolve))
  const ofItems =
    schema['items'] === undefined ? [] : valuesOf(resolve<Schema>(schema['items']) ?? {}, resolve)
  const own = listOf(schema['enum']).filter((value) => value !== null)
  return [...new Set([...own.map(String), ...ofChoices, ...ofItems])]
}

const RULES: readonly (readonly [keyword: string, words: (value: unknown) => string])[] = [
  ['minLength', (n) => (n === 1 ? 'not empty' : `at least ${n} characters`)],
  ['maxLength', (n) => `at most ${grouped(n)} characters`],
  ['minimum', (n) => `at least ${grouped(n)}`],
  ['exclusiveMinimum', (n) => `more than ${grouped(n)}`],
  ['maximum', (n) => `at most ${grouped(n)}`],
  ['minItems', (n) => `at least ${grouped(n)} ${n === 1 ? 'entry' : 'entries'}`],
  ['maxItems', (n) => `at most ${grouped(n)} entries`],
  ['maxProperties', (n) => `at most ${grouped(n)} keys`],
  ['default', (value) => `default \`${JSON.stringify(value)}\``],
  ['pattern', (pattern) => `matches \`${pattern}\``],
]

const grouped = (value: unknown) =>
  typeof value === 'number' ? value.toLocaleString('en-US') : String(value)

/** Longer patterns are read in the document by who needs them. */
const LONGEST_PATTERN = 60

function rulesOf(schema: Schema): string[] {
  return RULES.flatMap(([keyword, words]) => {
    const value = schema[keyword]
    if (value === undefined || (keyword === 'pattern' && String(value).length > LONGEST_PATTERN)) return []
    return [words(value)]
  })
}
