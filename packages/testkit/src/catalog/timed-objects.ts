import type { Contract, Schema } from './contract.ts'

/** An object of an answer, with its timestamps by their names. */
export interface TimedObject {
  /** The title of its schema, or where it is. */
  readonly name: string
  readonly times: ReadonlyMap<string, string>
  /** What it is a part of. */
  readonly outer: TimedObject | undefined
}

const variantsOf = (schema: Schema): readonly Schema[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] ?? []) as Schema[])

/** What a schema refers to, and what it is called there. */
function resolved(contract: Contract, schema: Schema, name: string): { whole: Schema; title: string } {
  const { $ref, title = name } = schema as { $ref?: string; title?: string }
  if ($ref === undefined) return { whole: schema, title }
  return resolved(contract, contract.resolve($ref), $ref.split('/').at(-1) ?? name)
}

const isTimestamp = (schema: Schema): boolean =>
  schema.format === 'date-time' || variantsOf(schema).some(isTimestamp)

const propertiesOf = (schema: Schema) =>
  Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)

/**
 * The objects with timestamps in a value, the outer ones first.
 * @param schema what the value is described by
 * @param name what the value is called where its schema has no title
 */
export function* timedObjects(
  contract: Contract,
  schema: Schema,
  value: unknown,
  name: string,
  outer?: TimedObject,
): Generator<TimedObject> {
  const { whole, title } = resolved(contract, schema, name)
  for (const variant of variantsOf(whole)) yield* timedObjects(contract, variant, value, title, outer)
  if (Array.isArray(value) && whole.items)
    for (const each of value) yield* timedObjects(contract, whole.items as Schema, each, title, outer)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return
  const parts = propertiesOf(whole).map(([field, part]) => [field, part, Reflect.get(value, field)] as const)
  const times = new Map<string, string>()
  for (const [field, part, time] of parts)
    if (isTimestamp(part) && typeof time === 'string') times.set(field, time)
  const here = times.size === 0 ? outer : { name: title, times, outer }
  if (here !== undefined && here !== outer) yield here
  for (const [field, part, inner] of parts)
    yield* timedObjects(contract, part, inner, `${title}.${field}`, here)
}

/** The names of all timestamps that a schema describes: `Title.field`. @param known filled with them */
export function collectTimeFields(
  contract: Contract,
  schema: Schema,
  name: string,
  known: Set<string>,
  visited = new Set<Schema>(),
): void {
  const { whole, title } = resolved(contract, schema, name)
  if (visited.has(whole)) return
  visited.add(whole)
  for (const variant of variantsOf(whole)) collectTimeFields(contract, variant, title, known, visited)
  if (whole.items) collectTimeFields(contract, whole.items as Schema, title, known, visited)
  for (const [field, part] of propertiesOf(whole)) {
    if (isTimestamp(part)) known.add(`${title}.${field}`)
    else collectTimeFields(contract, part, `${title}.${field}`, known, visited)
  }
}
