import { addComponent, type Json, type Published } from './parts.ts'

/**
 * Says in the terms of OpenAPI what parameters take: words that are separated by commas are a list, and `metadata.{key}` is a
 * map. Parameters whose schema has a title become components of that name.
 */
export function nameParameters({ paths, components }: Published): void {
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    if (operation.parameters === undefined) continue
    operation.parameters = operation.parameters.map((given) => {
      const parameter = asMap(asList(given))
      const { title, ...schema } = (parameter['schema'] ?? {}) as Json & { title?: string }
      if (title === undefined) return parameter
      addComponent(components.parameters, title, { ...parameter, schema })
      return { $ref: `#/components/parameters/${title}` }
    })
  }
}

/** The pattern of words that are separated by commas: `^(?:a|b)(?:,(?:a|b))*$`. */
const WORDS = /^\^\(\?:([\w|]+)\)\(\?:,\(\?:\1\)\)\*\$$/

/** A text of words from a list as an array, which is sent as one text with commas. */
function asList(parameter: Json): Json {
  const { pattern, maxLength: _, type: __, ...schema } = (parameter['schema'] ?? {}) as Json
  const words = WORDS.exec(String(pattern))?.[1]?.split('|')
  if (words === undefined) return parameter
  const { example } = parameter
  return {
    ...parameter,
    ...{ style: 'form', explode: false },
    schema: { ...schema, type: 'array', items: { type: 'string', enum: words } },
    ...(typeof example === 'string' && { example: example.split(',') }),
  }
}

/** `metadata.{key}` as a map of the parameters `metadata.…`. */
function asMap(parameter: Json): Json {
  const [, prefix] = /^(\w+\.)\{\w+\}$/.exec(String(parameter['name'])) ?? []
  if (prefix === undefined) return parameter
  return {
    ...parameter,
    ...{ name: prefix.slice(0, -1), style: 'form', explode: true },
    schema: {
      type: 'object',
      propertyNames: { pattern: `^${prefix.replace('.', '\\.')}` },
      additionalProperties: parameter['schema'],
    },
    example: { [`${prefix}company`]: 'Example Ltd' },
  }
}
