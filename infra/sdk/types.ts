import type { Schema } from './read-document.ts'

type Schemas = Readonly<Record<string, Schema>>

const SCHEMAS = '#/components/schemas/'

/** Whether a value is sent, or answered. Words that are answered are open: a newer API may have more of them. */
type Direction = 'sent' | 'answered'

/** Prints the schemas of the document as types of TypeScript. */
export class Types {
  readonly #schemas: Schemas
  readonly #sent: ReadonlySet<string>
  readonly #answered: ReadonlySet<string>

  /** @param sent the schemas of bodies and queries. @param answered those of answers and webhooks */
  constructor(schemas: Schemas, sent: readonly Schema[], answered: readonly Schema[]) {
    this.#schemas = schemas
    this.#sent = this.#reach(sent)
    this.#answered = this.#reach(answered)
  }

  /** The declarations of all schemas that are used. */
  declarations(): string {
    return Object.entries(this.#schemas)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, schema]) => [
        ...(this.#answered.has(name) || schema.enum ? [this.#declare(name, schema, 'answered')] : []),
        ...(this.#sent.has(name) && !schema.enum && this.#sentName(name) !== name
          ? [this.#declare(this.#sentName(name), schema, 'sent')]
          : []),
        ...(this.#sent.has(name) && !schema.enum && !this.#answered.has(name)
          ? [this.#declare(name, schema, 'sent')]
          : []),
      ])
      .join('\n')
  }

  #declare(name: string, schema: Schema, direction: Direction): string {
    const comment = docOf(schema.description, '')
    if (schema.enum) return `${comment}export type ${name} = ${schema.enum.map(literal).join(' | ')}`
    if (!schema.properties) return `${comment}export type ${name} = ${this.print(schema, direction)}`
    return `${comment}export interface ${name} ${this.print(schema, direction)}`
  }

  /** A schema as a type. @param indent what its lines begin with */
  print(schema: Schema, direction: Direction, indent = ''): string {
    if (schema.$ref !== undefined) return this.#reference(schema.$ref.slice(SCHEMAS.length), direction)
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum) return this.#words(schema.enum, direction)
    if (schema.anyOf) return this.#union(schema.anyOf, direction, indent)
    if (schema.allOf) return schema.allOf.map((part) => this.print(part, direction, indent)).join(' & ')
    const types = [schema.type ?? 'unknown'].flat()
    return [...new Set(types.map((type) => this.#printType(type, schema, direction, indent)))].join(' | ')
  }

  #words(words: readonly unknown[], direction: Direction): string {
    const union = words.map(literal).join(' | ')
    return direction === 'answered' && words.some((word) => typeof word === 'string') && words.length > 1
      ? `Open<${union}>`
      : union
  }

  #reference(name: string, direction: Direction): string {
    if (this.#schemas[name]?.enum) return direction === 'answered' ? `Open<${name}>` : name
    return direction === 'sent' ? this.#sentName(name) : name
  }

  /** A thing that is both sent and answered has two types where its words are open in one of them. */
  #sentName(name: string): string {
    const differs = [...this.#reach([{ $ref: SCHEMAS + name }])].some((inner) => this.#schemas[inner]?.enum)
    return this.#answered.has(name) && differs ? `${name}Input` : name
  }

  #printType(type: string, schema: Schema, direction: Direction, indent: string): string {
    if (type === 'integer' || type === 'number') return 'number'
    if (type === 'string') return schema.format === 'binary' ? 'Blob' : 'string'
    if (type === 'boolean' || type === 'null') return type
    if (type === 'array') {
      const item = this.print(schema.items ?? {}, direction, indent)
      return /[|&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
    }
    return type === 'object' ? this.#object(schema, direction, indent) : 'unknown'
  }

  #object(schema: Schema, direction: Direction, indent: string): string {
    const { properties, additionalProperties: rest } = schema
    if (properties === undefined || Object.keys(properties).length === 0)
      return typeof rest === 'object'
        ? `Record<string, ${this.print(rest, direction, indent)}>`
        : 'Record<string, unknown>'
    const required = new Set(schema.required)
    const lines = Object.entries(properties).map(([name, part]) => {
      // A default is filled in by the API.
      const isOptional = !required.has(name) || (direction === 'sent' && part.default !== undefined)
      return this.field(name, part, { direction, isOptional, indent: `${indent}  ` })
    })
    return `{\n${lines.join('\n')}\n${indent}}`
  }

  /** One field of a type, with what is said of it. */
  field(
    name: string,
    schema: Schema,
    { direction, isOptional, indent }: { direction: Direction; isOptional: boolean; indent: string },
  ): string {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`
    const type = this.print(schema, direction, indent)
    const more = isOptional && direction === 'sent' ? ' | undefined' : ''
    return `${docOf(schema.description, indent)}${indent}${key}${isOptional ? '?' : ''}: ${type}${more}`
  }

  /** Alternatives that are told apart by a field that only one of them has: the others have it undefined. */
  #union(parts: readonly Schema[], direction: Direction, indent: string): string {
    const marks = new Map(parts.map((part) => [part, this.#marksOf(part)]))
    const all = new Set([...marks.values()].flat())
    const printed = parts.map((part) => {
      const type = this.print(part, direction, indent)
      const lacking = part.type === 'null' ? [] : [...all].filter((name) => !marks.get(part)?.includes(name))
      return lacking.length === 0
        ? type
        : `(${type} & { ${lacking.map((name) => `${name}?: undefined`).join('; ')} })`
    })
    return [...new Set(printed)].join(' | ')
  }

  /** The fields of an alternative that always have the same value, except `success`. */
  #marksOf({ $ref }: Schema): string[] {
    const { properties = {} } = this.#schemas[$ref?.slice(SCHEMAS.length) ?? ''] ?? {}
    return Object.entries(properties).flatMap(([name, { const: only }]) =>
      only === undefined || name === 'success' ? [] : [name],
    )
  }

  /** The names of all schemas that some have in them. */
  #reach(schemas: readonly Schema[]): Set<string> {
    const reached = new Set<string>()
    const visit = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return
      const { $ref } = part as Schema
      const name = typeof $ref === 'string' ? $ref.slice(SCHEMAS.length) : undefined
      if (name !== undefined && !reached.has(name)) {
        reached.add(name)
        visit(this.#schemas[name])
      }
      for (const inner of Object.values(part)) visit(inner)
    }
    visit(schemas)
    return reached
  }
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value)

/** A comment before a declaration; nothing where nothing is said. */
export function docOf(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return ''
  const lines = text.replaceAll('*/', '* /').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}
