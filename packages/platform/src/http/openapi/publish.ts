import { describeProperties } from './described-properties.ts'
import { nameBodies } from './named-bodies.ts'
import { nameEnum, nameEnums } from './named-enums.ts'
import { nameParameters } from './named-parameters.ts'
import { addComponent, type Json, type Published } from './parts.ts'
import { stripInternalKeywords } from './published-schema.ts'

interface Components {
  readonly securitySchemes?: object
}

/**
 * The document as it is served. Schemas that have a title become named components, so that generated clients have named
 * types; bodies, words of a list and shared parameters are named as well. Keywords that only our own validator understands and
 * credentials that no route takes are removed.
 * @throws Error where two different parts have the same name
 */
export function publish<T extends { components?: Components }>(document: T): T {
  const schemas: Record<string, Json> = {}
  const taken = new Set<string>()
  const published: T = JSON.parse(JSON.stringify(document), (key, given) => {
    const value = stripInternalKeywords(key, given)
    if (key === 'security' && Array.isArray(value))
      for (const name of value.flatMap(Object.keys)) taken.add(name)
    if (isTitledEnum(value)) return titledEnum(schemas, value)
    return isNamed(value) ? nameSchema(schemas, value) : value
  })
  const schemes = Object.entries(published.components?.securitySchemes ?? {})
  const securitySchemes = Object.fromEntries(schemes.filter(([name]) => taken.has(name)))
  const components = { ...published.components, schemas, parameters: {}, securitySchemes }
  const result = { ...published, components }
  const parts = result as unknown as Published
  nameParameters(parts)
  nameBodies(parts)
  nameEnums(parts)
  describeProperties(parts)
  return result
}

/** Moves a schema that has a title to the components. Where it may be null, the reference may be, and not the component. */
function nameSchema(schemas: Record<string, Json>, value: TitledSchema): Json {
  const { title, examples: _, ...schema } = value
  const reference = { $ref: `#/components/schemas/${title}` }
  if (!Array.isArray(schema.type)) {
    addComponent(schemas, title, schema)
    return reference
  }
  // Where a schema may be null, its description is of that place, and not of the component.
  const { description, ...always } = schema
  const named = schemas[title]?.['description']
  addComponent(schemas, title, {
    ...always,
    type: 'object',
    ...(named !== undefined && { description: named }),
  })
  return { anyOf: [reference, { type: 'null' }], ...(description !== undefined && { description }) }
}

function titledEnum(schemas: Record<string, Json>, { title, ...schema }: TitledEnum): Json {
  nameEnum(schemas, title, schema)
  return schema
}

interface TitledSchema {
  readonly title: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly examples?: unknown
}

interface TitledEnum extends Json {
  readonly title: string
  readonly enum: readonly unknown[]
}

const isTitledEnum = (value: unknown): value is TitledEnum =>
  typeof value === 'object' &&
  value !== null &&
  'enum' in value &&
  Array.isArray(value.enum) &&
  'title' in value &&
  typeof value.title === 'string'

const isNamed = (value: unknown): value is TitledSchema =>
  // A map of fields, or an example, can have fields of these names.
  typeof value === 'object' &&
  value !== null &&
  'title' in value &&
  typeof value.title === 'string' &&
  ('anyOf' in value || ('properties' in value && 'type' in value && [value.type].flat().includes('object')))
