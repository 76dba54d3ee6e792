import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A JSON schema as it stands in the document. */
export type Schema = Record<string, unknown>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
  readonly example?: unknown
}

export interface MediaType {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Record<string, { readonly value: unknown }>
}

export interface Content {
  readonly headers?: Schema
  readonly content?: Record<string, MediaType>
}

/** One endpoint, as the API's document describes it. */
export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly security?: readonly Schema[]
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Record<string, Content & { readonly $ref?: string }>
  readonly 'x-sdk': { readonly group: string; readonly method: string }
  readonly 'x-idempotency'?: 'key'
  readonly 'x-access': 'open' | { readonly secret?: string; readonly public?: string; readonly user?: string }
}

/** The API's OpenAPI document, as far as tests read it. */
export interface Document {
  readonly tags: readonly { readonly name: string; readonly description?: string }[]
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly responses: Record<string, Content> } & Schema
}

/** An endpoint of the document: `GET`, `/api/v1/members/{id}`, and what it says of itself. */
export interface Endpoint {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: unknown
}

/** What references into the document begin with, for the validator. */
const DOCUMENT = 'https://guildhall.example/openapi'

/** What the API has promised: every answer is compared with it. */
export class Contract {
  readonly document: Document
  readonly endpoints: readonly Endpoint[]
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #compiled = new Map<Schema, ValidateFunction>()
  readonly #patterns: readonly { endpoint: Endpoint; pattern: RegExp }[]

  constructor(document: object) {
    // As it is served: what JSON cannot say is not part of it.
    this.document = withoutSmallReferences(JSON.parse(JSON.stringify(document)))
    addFormats.default(this.#ajv)
    // Once, under a name that references name: its components are many, and each is compiled once.
    this.#ajv.addSchema({ components: this.document.components }, DOCUMENT)
    this.endpoints = Object.entries(this.document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    this.#patterns = this.endpoints
      .map((endpoint) => ({ endpoint, pattern: toPattern(endpoint.path) }))
      // A literal segment goes before a parameter, as in the router.
      .sort((a, b) => weight(a.endpoint.path).localeCompare(weight(b.endpoint.path)))
  }

  /** The endpoint that a request is for, or undefined. */
  find(method: string, url: string): Endpoint | undefined {
    const path = url.split('?')[0]?.replace(/^\/sdk\//, '/api/v1/') ?? ''
    return this.#patterns.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path))
      ?.endpoint
  }

  /** The described answer of a status, with references resolved. */
  response({ operation }: Endpoint, status: number | string): Content | undefined {
    const described = operation.responses[status]
    const name = described?.$ref?.split('/').at(-1)
    return name === undefined ? described : this.document.components.responses[name]
  }

  /** What a reference into the document refers to. @throws Error where there is nothing */
  resolve(reference: string): Schema {
    const found = reference
      .split('/')
      .slice(1)
      .reduce<unknown>((part, name) => (part as Schema | undefined)?.[name], this.document)
    if (found === undefined) throw new Error(`the document has no ${reference}`)
    return found as Schema
  }

  /** What is wrong with a value, in words, or undefined. */
  faultOf(schema: Schema, value: unknown): string | undefined {
    let validate = this.#compiled.get(schema)
    if (!validate) {
      validate = this.#ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT}#/`)))
      this.#compiled.set(schema, validate)
    }
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors)
  }

  /**
   * Holds an answer against the document.
   * @throws Error that names what the document does not allow
   */
  check(method: string, url: string, answer: Answered): void {
    const endpoint = this.find(method, url)
    const name = `${method} ${url} → ${answer.status} ${JSON.stringify(answer.body)}`
    const contentType = answer.headers['content-type']
    if (endpoint === undefined) {
      // Probes, pages and the document itself are not described; everything else that is unknown is a documented error.
      const isPage = contentType?.startsWith('text/html') ?? false
      if ((answer.status < 400 || isPage) && !/^\/(api|sdk)\//.test(url)) return
      const fault = this.faultOf(this.#errorBody(), answer.body)
      if (fault !== undefined) throw new Error(`${name}: an unknown path must answer an error: ${fault}`)
      return
    }
    const described = this.response(endpoint, answer.status)
    if (described === undefined) throw new Error(`${name}: the status is not documented`)
    const contents = Object.entries(described.content ?? {})
    const [type, content] = contents.find(([each]) => contentType?.startsWith(each)) ?? contents[0] ?? []
    // `*/*` stands for files, which may be of any type.
    if (type !== undefined && type !== '*/*' && !contentType?.startsWith(type))
      throw new Error(`${name}: ${contentType} is not the documented ${type}`)
    const fault =
      content?.schema && new URLSearchParams(url.split('?')[1]).has('fields') && answer.status === 200
        ? this.#faultOfFields(content.schema, answer.body)
        : content?.schema && this.faultOf(content.schema, answer.body)
    if (fault !== undefined) throw new Error(`${name}: does not fit the documented schema: ${fault}`)
    const lacking = Object.keys(described.headers ?? {}).filter(
      (header) => !SOMETIMES.has(header) && answer.headers[header.toLowerCase()] === undefined,
    )
    if (lacking.length > 0 && reachesRoute(url))
      throw new Error(`${name}: lacks the documented header ${lacking.join(', ')}`)
  }

  /** What is wrong with a list whose items have only the fields that the request named. */
  #faultOfFields(schema: Schema, body: unknown): string | undefined {
    const { data } = this.#resolved(schema).properties as Record<string, Schema>
    return (body as { data: object[] }).data
      .map((item) => this.#faultOfItem(data as Schema, item))
      .find(Boolean)
  }

  #faultOfItem(list: Schema, item: object): string | undefined {
    const { properties } = this.#resolved(this.#resolved(list).items as Schema) as {
      properties: Record<string, Schema>
    }
    for (const [name, value] of Object.entries(item)) {
      const schema = properties[name]
      if (schema === undefined) return `${name} is not documented`
      // The items of an item have the same fields.
      const isList = name === 'replies' && Array.isArray(value)
      const fault = isList
        ? value.map((inner) => this.#faultOfItem(schema, inner)).find(Boolean)
        : this.faultOf(schema, value)
      if (fault !== undefined) return `${name} ${fault}`
    }
    return undefined
  }

  #resolved(schema: Schema): Schema {
    const { $ref } = schema as { $ref?: string }
    return $ref === undefined ? schema : this.resolve($ref)
  }

  /** What every error looks like; its codes are each endpoint's own. */
  #errorBody(): Schema {
    return this.resolve('#/components/schemas/Error')
  }
}

/** Headers that say something about some answers of a status. */
const SOMETIMES = new Set(['Idempotent-Replayed', 'ETag'])

/** What the router itself refuses: encoding that is none, and ids that are longer than any. */
function reachesRoute(url: string): boolean {
  try {
    return decodeURI(url.split('?')[0] ?? '')
      .split('/')
      .every((segment) => segment.length <= 200)
  } catch {
    return false
  }
}

/** The same document, where parameters, lists of words and envelopes stand where they are used, as tests read them. */
function withoutSmallReferences(document: Document): Document {
  const components = document.components as unknown as Record<string, Record<string, Schema>>
  const expand = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...beside } = value as Schema
    const [, , kind = '', name = ''] = typeof $ref === 'string' ? $ref.split('/') : []
    const found = components[kind]?.[name]
    if (found !== undefined && isSmall(kind, name, found)) return { ...copy(found), ...beside }
    return asText(nullableWords(value as Schema))
  }
  const copy = (part: object) => JSON.parse(JSON.stringify(part), expand)
  return copy(document)
}

const isSmall = (kind: string, name: string, schema: Schema): boolean =>
  kind === 'parameters' ||
  (kind === 'schemas' && ('enum' in schema || /(?:Response|List|Request|Event)$/.test(name)))

/** A parameter as the text that is sent: a list with its commas, one key of a map. */
function asText(schema: Schema): Schema {
  const { style, explode, example, ...parameter } = schema
  if (style !== 'form') return schema
  const { items, additionalProperties } = parameter['schema'] as Record<string, Schema>
  if (explode === true)
    return { ...parameter, name: `${parameter['name']}.{key}`, schema: additionalProperties }
  const one = `(?:${wordsOf(items).join('|')})`
  const text = { type: 'string', pattern: `^${one}(?:,${one})*$` }
  return { ...parameter, schema: text, ...(Array.isArray(example) && { example: example.join(',') }) }
}

const wordsOf = (schema: Schema = {}): string[] => (schema['enum'] ?? []) as string[]

/** Words or null, in one schema. */
function nullableWords(schema: Schema): Schema {
  const { anyOf, ...others } = schema
  const [words, empty, ...more] = (anyOf ?? []) as Schema[]
  if (words?.['enum'] === undefined || empty?.['type'] !== 'null' || more.length > 0) return schema
  return { ...others, type: [words['type'], 'null'], enum: [...(words['enum'] as string[]), null] }
}

const toPattern = (path: string) =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`)

/** Sorts literal segments before parameters. */
const weight = (path: string) => path.replaceAll(/\{[^}]+\}/g, '\uffff')
