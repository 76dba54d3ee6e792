import type {
  Answer,
  Body,
  MediaType,
  OpenApiDocument,
  Parameter,
  RawOperation,
  Schema,
  SdkName,
} from './openapi-types.ts'
import { slugOf } from './slug.ts'

/** An endpoint, with references resolved as far as its page needs. */
export interface Operation {
  readonly id: string
  readonly method: string
  /** As in `/api/v1/members/{id}`. */
  readonly path: string
  readonly summary: string
  /** Markdown. */
  readonly description: string
  readonly area: string
  /** The address of its page. */
  readonly page: string
  readonly parameters: readonly Parameter[]
  /** By media type; empty where it takes no body. */
  readonly bodies: readonly (readonly [type: string, content: MediaType])[]
  readonly isBodyRequired: boolean
  readonly answers: readonly { readonly status: string; readonly answer: Answer }[]
  /** The codes of its errors. */
  readonly errors: readonly OperationError[]
  /** The credentials that may call it, such as `secretKey`; empty where it needs none. */
  readonly credentials: readonly string[]
  readonly sdk: SdkName | undefined
}

export interface OperationError {
  readonly code: string
  readonly status: string
  readonly message: string
  readonly example: unknown
}

export interface Area {
  readonly name: string
  readonly description: string
  readonly page: string
  readonly operations: readonly Operation[]
}

/** An event as webhook endpoints receive it. */
export interface EventPage {
  readonly name: string
  readonly description: string
  readonly page: string
  readonly headers: readonly Parameter[]
  readonly content: MediaType
}

/** A code with all that answer it. */
export interface CodeUse {
  readonly code: string
  readonly status: string
  /** The sentences that operations document for it, each once. */
  readonly messages: readonly string[]
  readonly example: unknown
  readonly operations: readonly Operation[]
}

/** The API's document as pages need it: by area, by event and by code. */
export interface Reference {
  readonly version: string
  /** Markdown. */
  readonly introduction: string
  readonly areas: readonly Area[]
  readonly events: readonly EventPage[]
  readonly codes: readonly CodeUse[]
  /** What a reference such as `#/components/schemas/Member` leads to, or the value itself. */
  resolve<T = Schema>(value: unknown): T
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Reads the API's document. */
export function readReference(document: OpenApiDocument): Reference {
  const resolve = resolverOf(document)
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [readOperation(path, method, operation, resolve)]
    }),
  )
  const byArea = Map.groupBy(operations, ({ area }) => area)
  const areas = (document.tags ?? [])
    .flatMap(({ name, description = '' }) => {
      const own = byArea.get(name)
      if (own === undefined) return []
      return [{ name, description, page: areaPage(name), operations: own.toSorted(byPath) }]
    })
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  return {
    version: document.info.version,
    introduction: document.info.description ?? '',
    areas,
    events: Object.entries(document.webhooks ?? {})
      .flatMap(([name, { post }]) => (post === undefined ? [] : [readEvent(name, post, resolve)]))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    codes: codesOf(operations),
    resolve,
  }
}

type Resolve = Reference['resolve']

function resolverOf(document: object): Resolve {
  return <T>(value: unknown): T => {
    let found = value
    for (let steps = 0; steps < 10; steps += 1) {
      const reference = (found as { $ref?: unknown } | undefined)?.$ref
      if (typeof reference !== 'string') break
      found = reference
        .split('/')
        .slice(1)
        .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((part, name) => (part as Schema | undefined)?.[name], document)
    }
    return found as T
  }
}

/** What stands for one thing comes before what stands for several; then the order of methods. */
const byPath = (a: Operation, b: Operation): number => (orderOf(a) < orderOf(b) ? -1 : 1)

const orderOf = ({ path, method }: Operation) =>
  `${path.replaceAll('{', ' ')}!${METHODS.indexOf(method.toLowerCase())}`

const areaPage = (name: string) => `/docs/api/${slugOf(name)}`

function readOperation(path: string, method: string, raw: RawOperation, resolve: Resolve): Operation {
  const area = raw.tags?.[0] ?? 'Other'
  const id = raw.operationId ?? `${method} ${path}`
  const body = resolve<Body | undefined>(raw.requestBody)
  const answers = Object.entries(raw.responses ?? {}).map(([status, answer]) => ({
    status,
    answer: resolve<Answer>(answer),
  }))
  return {
    id,
    method: method.toUpperCase(),
    path,
    summary: raw.summary ?? id,
    description: raw.description ?? '',
    area,
    page: `${areaPage(area)}/${slugOf(id)}`,
    parameters: (raw.parameters ?? []).map((parameter) => resolve<Parameter>(parameter)),
    bodies: Object.entries(body?.content ?? {}),
    isBodyRequired: body?.required ?? false,
    answers: answers.filter(({ status }) => /^[23]/.test(status)),
    errors: answers.filter(({ status }) => /^[45]/.test(status)).flatMap((answer) => errorsOf(answer)),
    credentials: (raw.security ?? []).flatMap((scheme) => Object.keys(scheme)),
    sdk: raw['x-sdk'],
  }
}

interface ErrorAnswer {
  readonly status: string
  readonly answer: Answer
}

function errorsOf({ status, answer }: ErrorAnswer): OperationError[] {
  return Object.entries(examplesOf(answer)).map(([code, { value }]) => ({
    code,
    status,
    message: (value as { error?: string } | undefined)?.error ?? '',
    example: value,
  }))
}

/** All codes, by name. */
function codesOf(operations: readonly Operation[]): CodeUse[] {
  const uses = operations.flatMap((operation) => operation.errors.map((error) => ({ ...error, operation })))
  return [...Map.groupBy(uses, ({ code }) => code)]
    .map(([code, same]) => ({
      code,
      status: same[0]?.status ?? '',
      messages: [...new Set(same.map(({ message }) => message))],
      example: same[0]?.example,
      operations: [...new Set(same.map(({ operation }) => operation))],
    }))
    .toSorted((a, b) => (a.code < b.code ? -1 : 1))
}

const examplesOf = ({ content = {} }: Answer) => content['application/json']?.examples ?? {}

function readEvent(name: string, raw: RawOperation, resolve: Resolve): EventPage {
  const body = resolve<Body | undefined>(raw.requestBody)
  return {
    name,
    description: raw.description ?? '',
    page: `/docs/events/${name}`,
    headers: (raw.parameters ?? []).map((parameter) => resolve<Parameter>(parameter)),
    content: body?.content?.['application/json'] ?? {},
  }
}
