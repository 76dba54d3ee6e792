import type { FormField, FormOperation } from '../../apps/console/src/data/form-fields.ts'
import { callsOf } from '../sdk/operations.ts'
import type { ApiDocument, Schema } from '../sdk/read-document.ts'

const HEADER = `// Made by \`node infra/sdk/main.ts\` of the API's document: do not edit it. \`npm run check\` compares it.
import type { FormOperation } from '../data/form-fields.ts'
`
const SCHEMAS = '#/components/schemas/'

/** What members alone call. */
const OF_MEMBERS = /^(?:auth|user|stream|notifications\.preferences)\b/

/**
 * The forms of the console, by the first word of the group that an operation has in the client library: a list of fields for each
 * operation that has a body.
 */
export function printForms(document: ApiDocument): Map<string, string> {
  const files = new Map<string, string>()
  const ifMatch = operationsWithIfMatch(document)
  for (const { id, group, method, summary, body, pathParameters } of callsOf(document)) {
    if (body === undefined || OF_MEMBERS.test(group)) continue
    const [file = ''] = group.split('.')
    const operation: FormOperation = {
      name: `${group}.${method}`,
      summary,
      fields: fieldsOf(document, body),
      ...(ifMatch.has(id) && { takesIfMatch: true }),
      ...(pathParameters.length > 0 && { ids: pathParameters.length }),
    }
    files.set(file, `${files.get(file) ?? HEADER}\n${printOperation(operation)}`)
  }
  return files
}

/** `help.articles.translations.set` is the constant `helpArticlesTranslationsSet`. */
const constantOf = (name: string): string =>
  name.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())

function printOperation({ fields, ...operation }: FormOperation): string {
  const lines = fields.map((field) => `    ${JSON.stringify(field)},\n`).join('')
  const rest = Object.entries(operation).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},\n`)
  return `export const ${constantOf(operation.name)}: FormOperation = {\n${rest.join('')}  fields: [\n${lines}  ],\n}\n`
}

function operationsWithIfMatch({ paths }: ApiDocument): Set<string> {
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  return new Set(
    operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.some(({ $ref }) => $ref?.endsWith('/IfMatch')) ? [operationId] : [],
    ),
  )
}

function fieldsOf(document: ApiDocument, schema: Schema): FormField[] {
  const { properties = {}, required = [] } = resolve(document, schema)
  return Object.entries(properties).map(([name, part]) => {
    const field = fieldOf(document, name, part)
    // A default is filled in by the API.
    return required.includes(name) && field.default === undefined ? { ...field, required: true } : field
  })
}

function fieldOf(document: ApiDocument, name: string, schema: Schema): FormField {
  const found = resolve(document, schema)
  const choices = found.anyOf?.filter((part) => part.type !== 'null')
  const only = choices?.length === 1 ? choices[0] : undefined
  // A thing or null is the thing, which may be null.
  if (only !== undefined) return { ...fieldOf(document, name, only), nullable: true }
  const types = [found.type ?? 'unknown'].flat()
  return {
    name,
    ...typeOf(document, found, types),
    ...(types.includes('null') && { nullable: true }),
    ...(found.default !== undefined && { default: found.default }),
  }
}

/** What a value is, and its limits. */
function typeOf(document: ApiDocument, schema: Schema, types: readonly string[]): Omit<FormField, 'name'> {
  const kinds = types.filter((type) => type !== 'null')
  const [kind = 'unknown'] = kinds
  if (kinds.length !== 1) return { type: 'value' }
  if (schema.enum) return { type: 'text', words: schema.enum.map(String) }
  if (kind === 'boolean') return { type: 'boolean' }
  if (kind === 'integer' || kind === 'number')
    return {
      type: kind,
      ...limits(schema.minimum ?? schema.exclusiveMinimum, schema.maximum),
    }
  if (kind === 'string')
    return {
      type: 'text',
      ...(schema.format !== undefined && { format: schema.format }),
      ...limits(schema.minLength, schema.maxLength),
    }
  if (kind === 'array')
    return {
      type: 'list',
      item: fieldOf(document, '', schema.items ?? {}),
      ...limits(schema.minItems, schema.maxItems),
    }
  return kind === 'object' ? objectOf(document, schema) : { type: 'value' }
}

function objectOf(document: ApiDocument, schema: Schema): Omit<FormField, 'name'> {
  const { properties = {}, additionalProperties: rest } = schema
  if (Object.keys(properties).length > 0) return { type: 'object', fields: fieldsOf(document, schema) }
  const isOfTexts = typeof rest === 'object' && resolve(document, rest).type === 'string'
  return { type: isOfTexts ? 'map' : 'value' }
}

const limits = (min: number | undefined, max: number | undefined) => ({
  ...(min !== undefined && { min }),
  ...(max !== undefined && { max }),
})

/** A schema that may be a reference, or a reference with a description of its own. */
function resolve({ components }: ApiDocument, schema: Schema): Schema {
  const { $ref, ...own } = schema
  return $ref === undefined ? schema : { ...components.schemas[$ref.slice(SCHEMAS.length)], ...own }
}
