import type { ApiDocument, Operation, Parameter, Schema } from './read-document.ts'

/** What an operation answers, as the library hands it over. */
export type Answer =
  /** Not JSON, or a redirection: the response itself. */
  | { readonly kind: 'response' }
  /** A field of the body, most often `data`. */
  | { readonly kind: 'data'; readonly field: string; readonly schemas: readonly Schema[] }
  /** The whole body, which has another shape. */
  | { readonly kind: 'whole'; readonly schemas: readonly Schema[] }
  /** Pages of a list, which are in that field; `link`: the next page is in the header `Link`. */
  | {
      readonly kind: 'page' | 'link'
      readonly field: string
      readonly item: Schema
      /** What the body has beside the list. */
      readonly beside: Readonly<Record<string, Schema>>
    }

/** An operation as the library has it. */
export interface Call {
  readonly id: string
  readonly summary: string
  readonly group: string
  readonly method: string
  readonly http: string
  readonly path: string
  readonly pathParameters: readonly Parameter[]
  readonly query: readonly Parameter[]
  readonly body: Schema | undefined
  readonly isBodyRequired: boolean
  readonly form: Schema | undefined
  readonly answer: Answer
  readonly takesKey: boolean
  /** Codes that only some operations answer. */
  readonly errors: readonly string[]
}

/** All operations of the document. */
export function callsOf(document: ApiDocument): Call[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([http, operation]) => toCall(document, http, path, operation)),
  )
}

function toCall(document: ApiDocument, http: string, path: string, operation: Operation): Call {
  const parameters = (operation.parameters ?? []).map(
    (parameter) => document.components.parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter,
  )
  const content = operation.requestBody?.content ?? {}
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return {
    id: operation.operationId,
    summary: operation.summary,
    ...operation['x-sdk'],
    http: http.toUpperCase(),
    path,
    pathParameters: parameters.filter((parameter) => parameter.in === 'path'),
    query,
    body: content['application/json']?.schema,
    isBodyRequired: operation.requestBody?.required === true,
    form: content['multipart/form-data']?.schema,
    answer: answerOf(document, operation, query),
    takesKey: operation['x-idempotency'] === 'key',
    errors: errorsOf(document, operation),
  }
}

/** A schema that may be a reference. */
export function resolve({ components }: ApiDocument, schema: Schema): Schema {
  return components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema
}

function answerOf(document: ApiDocument, { responses }: Operation, query: readonly Parameter[]): Answer {
  const bodies = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content }]) => content?.['application/json']?.schema ?? [])
  const [first] = bodies
  const types = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? Object.keys(content) : [],
  )
  if (first === undefined || types.some((type) => type !== 'application/json')) return { kind: 'response' }
  const { properties = {} } = resolve(document, first)
  const { success: _, data, pagination, ...others } = properties
  const hasCursor = query.some(({ name }) => name === 'cursor')
  const lists = Object.entries(properties).filter(([, part]) => part.type === 'array')
  const [[field, { items = {} }] = ['', {}]] = lists
  if (lists.length === 1 && (pagination !== undefined || hasCursor)) {
    const { success: __, [field]: ___, ...beside } = properties
    return { kind: pagination === undefined ? 'link' : 'page', field, item: items, beside }
  }
  // `{success, discussion}` is a discussion, as `{success, data}` is the data.
  const [only = '', ...more] = Object.keys({
    ...others,
    ...(data && { data }),
    ...(pagination && { pagination }),
  })
  const isOne = more.length === 0 && only !== '' && (only === 'data' || isThing(document, properties[only]))
  if (!isOne) return { kind: 'whole', schemas: bodies }
  const fields = bodies.map((body) => resolve(document, body).properties?.[only] ?? {})
  return { kind: 'data', field: only, schemas: fields }
}

const isThing = (document: ApiDocument, schema: Schema = {}): boolean => {
  const { type } = resolve(document, schema)
  return type === 'object' || type === 'array'
}

/** The codes that a request with every credential, body and limit may be answered. */
const COMMON = new Set([
  ...[
    'INVALID_JSON',
    'INVALID_PARAMETERS',
    'UNSUPPORTED_CONTENT_TYPE',
    'PAYLOAD_TOO_LARGE',
    'VALIDATION_ERROR',
  ],
  ...['AUTH_REQUIRED', 'INVALID_TOKEN', 'INSUFFICIENT_PERMISSIONS', 'MEMBER_SUSPENDED', 'NOT_FOUND'],
  ...['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_MISMATCH', 'CHANGED_MEANWHILE', 'RATE_LIMITED'],
  ...['INTERNAL_ERROR', 'UNAVAILABLE'],
])

export const COMMON_CODES: readonly string[] = [...COMMON].sort()

function errorsOf(document: ApiDocument, { responses }: Operation): string[] {
  const codes = Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([, { content }]) => content?.['application/json']?.schema?.allOf ?? [])
    .flatMap((part) => codesOf(resolve(document, part).properties?.['code']))
  return [...new Set(codes)].filter((code) => !COMMON.has(code)).sort()
}

const codesOf = (schema: Schema | undefined): string[] =>
  (schema?.enum ?? (schema?.const === undefined ? [] : [schema.const])) as string[]
