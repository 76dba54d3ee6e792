import type { Static } from 'typebox'

interface Schema {
  readonly type?: string | string[]
  readonly const?: unknown
  readonly default?: unknown
  readonly enum?: unknown[]
  readonly examples?: unknown[]
  readonly properties?: Record<string, Schema>
  readonly items?: Schema
  readonly anyOf?: Schema[]
}

/** An example of a schema, put together from the examples of its parts. */
export const exampleOf = <S extends object>(schema: S): Static<S> => example(schema) as Static<S>

function example(schema: Schema): unknown {
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, example(part)]))
  }
  if (schema.items) return [example(schema.items)]
  if (schema.anyOf?.[0]) return example(schema.anyOf[0])
  return (
    { boolean: true, integer: 1, number: 1, object: {}, null: null }[String([schema.type].flat()[0])] ??
    'text'
  )
}
