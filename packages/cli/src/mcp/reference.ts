import MiniSearch from 'minisearch'
import { Failure } from '../failure.ts'

/** As much of the API's document as is used. */
interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema?: Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
  readonly required?: boolean
}

interface DocumentOperation {
  readonly summary: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
  readonly 'x-sdk': { readonly group: string; readonly method: string }
  readonly 'x-idempotency'?: string
}

interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>
}

/** An operation of the API. */
export interface Operation {
  /** Such as `members.create`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly takesJson: boolean
  /** Whether it answers JSON, as opposed to a file or a stream. */
  readonly answersJson: boolean
  readonly takesKey: boolean
  readonly declared: DocumentOperation
}

/** Levels of named schemas that a description shows in full. */
const MOST_LEVELS = 4
const TIMEOUT_MS = 60_000

/** What the API of an installation has. */
export class Reference {
  readonly #document: ApiDocument
  readonly #operations: ReadonlyMap<string, Operation>
  readonly #index: MiniSearch

  constructor(document: ApiDocument) {
    this.#document = document
    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, declared]) => this.#toOperation(path, method, declared)),
    )
    this.#operations = new Map(all.map((operation) => [operation.name, operation]))
    this.#index = new MiniSearch({
      idField: 'name',
      fields: ['words', 'summary', 'description'],
      searchOptions: { boost: { words: 3, summary: 2 }, prefix: true, fuzzy: 0.2 },
    })
    this.#index.addAll(
      all.map(({ name, path, method, summary, declared }) => ({
        ...{ name, summary, description: declared.description ?? '' },
        words: `${name.replaceAll(/[.A-Z]/g, ' $&').replaceAll('.', ' ')} ${path} ${method} ${declared.tags?.join(' ') ?? ''}`,
      })),
    )
  }

  get size(): number {
    return this.#operations.size
  }

  find(name: string): Operation | undefined {
    return this.#operations.get(name)
  }

  /** Operations that fit some words, the best ones first. */
  search(words: string, limit: number): Operation[] {
    const found = this.#index.search(words).slice(0, limit)
    return found.flatMap(({ id }) => this.#operations.get(String(id)) ?? [])
  }

  /** All that is to be known before a call: parameters, body, answers and errors, with the schemas that they name. */
  describe({ name, method, path, parameters, declared }: Operation): object {
    const { summary, description, requestBody, responses } = declared
    const [body] = Object.entries(requestBody?.content ?? {})
    const success = Object.entries(responses).find(([status]) => status.startsWith('2'))
    return {
      ...{ operation: name, method, path, summary, description },
      parameters: parameters.map((each) => ({ ...each, schema: this.#inlined(each.schema, MOST_LEVELS) })),
      ...(body && {
        body: {
          content_type: body[0],
          required: requestBody?.required === true,
          schema: this.#inlined(body[1].schema, MOST_LEVELS),
          example: body[1].example,
        },
      }),
      answer: success && {
        status: success[0],
        schema: this.#inlined(success[1].content?.['application/json']?.schema, 2),
      },
    }
  }

  #toOperation(path: string, method: string, declared: DocumentOperation): Operation {
    const { group, method: verb } = declared['x-sdk']
    const success = Object.entries(declared.responses).filter(([status]) => status.startsWith('2'))
    return {
      name: `${group}.${verb}`,
      method: method.toUpperCase(),
      path,
      summary: declared.summary,
      parameters: (declared.parameters ?? []).map((each) => this.#resolved(each)),
      takesJson: declared.requestBody?.content?.['application/json'] !== undefined,
      answersJson: success.some(([, { content }]) => content?.['application/json'] !== undefined),
      takesKey: declared['x-idempotency'] === 'key',
      declared,
    }
  }

  #resolved<Part extends { readonly $ref?: string }>(part: Part): Part {
    const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref ?? '') ?? []
    return (this.#document.components[kind]?.[name] as Part | undefined) ?? part
  }

  /** A schema with those that it refers to in their places, to a depth. */
  #inlined(schema: unknown, levels: number): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.#inlined(each, levels))
    if (typeof schema !== 'object' || schema === null) return schema
    const { $ref } = schema as Schema
    if ($ref !== undefined) {
      const found = this.#resolved(schema as Schema)
      return levels === 0 ? { type: $ref.split('/').at(-1) } : this.#inlined(found, levels - 1)
    }
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, this.#inlined(value, levels)]),
    )
  }
}

/** Reads the document of an API. @throws Failure where there is none */
export async function readReference(url: string): Promise<Reference> {
  const address = `${url}/openapi.json`
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
    if (!response.ok) throw new Error(`it answers ${response.status}`)
    return new Reference((await response.json()) as ApiDocument)
  } catch (error) {
    throw new Failure(`The document of the API cannot be read at ${address}: ${(error as Error).message}`)
  }
}
