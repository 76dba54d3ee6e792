import type { Contract, Schema } from './contract.ts'

/** Where in a JSON value: names of fields and places in arrays. */
export type Path = readonly (string | number)[]

/** A part of what a schema describes: where it is, and its own schema with references resolved. */
export interface Part {
  readonly path: Path
  readonly schema: Schema
}

/** Everything that a schema describes, from the whole to the leaves; of arrays the first entry. */
export function partsOf(contract: Contract, schema: Schema, path: Path = []): Part[] {
  const { $ref, anyOf } = schema
  if (typeof $ref === 'string') return partsOf(contract, contract.resolve($ref), path)
  const [one, empty] = (anyOf ?? []) as Schema[]
  if (typeof one?.['$ref'] === 'string' && empty?.['type'] === 'null')
    return partsOf(contract, { ...contract.resolve(one['$ref']), type: ['object', 'null'] }, path)
  const inner = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  return [
    { path, schema },
    ...inner.flatMap(([name, part]) => partsOf(contract, part, [...path, name])),
    ...(schema.items ? partsOf(contract, schema.items as Schema, [...path, 0]) : []),
  ]
}

/** A copy of a value with another one at a path; what the path lacks is made. */
export function withValue(value: unknown, [first, ...rest]: Path, replacement: unknown): unknown {
  if (first === undefined) return replacement
  if (typeof first === 'number') {
    const entries = Array.isArray(value) ? [...value] : []
    entries[first] = withValue(entries[first], rest, replacement)
    return entries
  }
  const fields: Record<string, unknown> = { ...(typeof value === 'object' ? value : {}) }
  fields[first] = withValue(fields[first], rest, replacement)
  return fields
}

/** A copy of a value without what is at a path. */
export function withoutValue(value: unknown, path: Path): unknown {
  // JSON knows no undefined.
  return JSON.parse(JSON.stringify(withValue(value, path, undefined)))
}

/** A path as errors name it: `a.b[0]`. */
export const nameOf = (path: Path): string =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`),
    '',
  )
