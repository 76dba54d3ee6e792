import fc from 'fast-check'
import type { Contract, Schema } from '../catalog/contract.ts'
import { prefixOf } from '../catalog/sample-requests.ts'

/** What stands for an id of this prefix. */
export type IdsOf = (prefix: string) => fc.Arbitrary<string>

const DEPTH = 5

/** Values that a schema of the document allows. Ids are those that `idsOf` gives. */
export function valuesOf(contract: Contract, schema: Schema, idsOf: IdsOf, depth = 0): fc.Arbitrary<unknown> {
  const inner = (part: unknown) => valuesOf(contract, part as Schema, idsOf, depth + 1)
  const { $ref, const: only, enum: words, anyOf, oneOf } = schema
  if (typeof $ref === 'string') return valuesOf(contract, contract.resolve($ref), idsOf, depth)
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(words)) return fc.constantFrom(...words)
  const choices = (anyOf ?? oneOf) as unknown[] | undefined
  if (choices) return fc.oneof(...choices.map(inner))
  const types = [schema.type].flat().map(String)
  return fc.oneof(...types.map((type) => ofType(type, schema, idsOf, depth, inner)))
}

function ofType(
  type: string,
  schema: Schema,
  idsOf: IdsOf,
  depth: number,
  inner: (part: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return texts(schema, idsOf)
    case 'integer':
      return fc.integer(boundsOf(schema))
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true, ...boundsOf(schema) })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const minLength = Number(schema.minItems ?? 0)
      const most = depth >= DEPTH ? minLength : Math.min(Number(schema.maxItems ?? 3), 3)
      return fc.array(inner(schema.items ?? {}), { minLength, maxLength: Math.max(minLength, most) })
    }
    case 'object':
      return objects(schema, depth, inner)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Numbers that the database takes as they are: nothing finer than what money and ratings have. */
const boundsOf = ({ minimum, maximum }: Schema) => ({
  min: Number(minimum ?? -1_000_000),
  max: Number(maximum ?? 2_000_000_000),
})

function objects(
  schema: Schema,
  depth: number,
  inner: (part: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const required = new Set((schema.required ?? []) as string[])
  const fields = Object.entries((schema.properties ?? {}) as Record<string, unknown>).filter(
    ([name]) => depth < DEPTH || required.has(name),
  )
  const model = Object.fromEntries(fields.map(([name, part]) => [name, inner(part)]))
  const known = fc.record(model, { requiredKeys: [...required].filter((name) => name in model) })
  const { additionalProperties: others } = schema
  if (others === undefined || others === false || depth >= DEPTH) return known
  const names = fc.string({ minLength: 1, maxLength: 12 })
  const values = others === true ? fc.jsonValue({ maxDepth: 2 }) : inner(others)
  return fc
    .tuple(known, fc.dictionary(names, values, { maxKeys: 4 }))
    .map(([own, more]) => ({ ...more, ...(own as object) }))
}

function texts(schema: Schema, idsOf: IdsOf): fc.Arbitrary<string> {
  const examples = ((schema.examples ?? []) as unknown[]).map(String)
  const prefix = prefixOf(examples[0])
  if (prefix !== undefined) return idsOf(prefix)
  const { format, pattern, default: usual } = schema
  if (format === 'email') return fc.nat(99).map((number) => `somebody${number}@example.com`)
  if (format === 'date-or-time' || format === 'date-time')
    return fc.constantFrom(
      '2026-11-22',
      '2026-11-22T12:00:00Z',
      '1970-01-01',
      '2038-01-19T03:14:08.123+02:00',
    )
  if (format === 'uri') return fc.webUrl()
  const known = [...examples, ...(typeof usual === 'string' ? [usual] : [])]
  const free =
    typeof pattern === 'string'
      ? fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
      : freeTexts(Number(schema.minLength ?? 0), Number(schema.maxLength ?? 40))
  return known.length === 0 ? free : fc.oneof(free, fc.constantFrom(...known))
}

function freeTexts(minLength: number, longest: number): fc.Arbitrary<string> {
  const maxLength = Math.max(minLength, Math.min(longest, 40))
  const unit = fc.oneof(
    { arbitrary: fc.constantFrom(...'aeinst 019'), weight: 4 },
    fc.constantFrom(...'%_"\\\'<é漢🎈\n'),
  )
  // Surrogate pairs count double where lengths are counted.
  return fc.string({ unit, minLength, maxLength }).map((text) => text.slice(0, longest).toWellFormed())
}
