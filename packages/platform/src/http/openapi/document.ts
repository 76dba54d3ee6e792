import type { Access } from '../access.ts'
import { ACTING_MEMBER_ERRORS, type ActingMemberPlace, userIdHeader } from '../acting-member-document.ts'
import { ifMatchHeader } from '../etag.ts'
import { exampleOf } from '../example.ts'
import { operatorSession } from '../operator-session.ts'
import { mayBeLeftOut } from '../server/check-route.ts'
import { memberSuspended } from '../suspended.ts'
import { byCode, type Errors, errorAnswer, headersOf } from './error-answers.ts'
import type { Json } from './parts.ts'
import { type SdkName, sdkNameOf } from './sdk-names.ts'

/** How the API's document shows that a POST can be repeated safely. */
export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to repeat a request. For 24 hours, the same request with the same key gets the answer of the first request, with `Idempotent-Replayed: true`. Send any text that none of your other requests has, such as a random UUID. Answers 5xx, 400, 409, 429 and `VALIDATION_ERROR` are not kept: correct the request and use the same key.',
  schema: { title: 'IdempotencyKey', type: 'string', minLength: 1, maxLength: 255 },
  example: '0192f0c4-5d0a-7a51-9c56-0242ac120002',
}

/** Codes of 422 that a key adds to an operation's own. */
export const IDEMPOTENCY_ERRORS = {
  IDEMPOTENCY_MISMATCH: 'This Idempotency-Key was used for another request: send another key',
}

interface Content {
  readonly content?: Record<string, { readonly schema?: object; example?: unknown }>
}

interface Parameter {
  in: string
  readonly name?: string
  required?: boolean
  readonly example?: unknown
  readonly schema?: Json
}

/** An operation as it comes from a route, with the notes that `transform` added. */
export interface Operation {
  parameters?: Parameter[]
  readonly requestBody?: Content & { required?: boolean }
  readonly responses: Record<string, Content & Json & { headers?: Json }>
  readonly operationId: string
  readonly 'x-access': Access
  /** The name that the route declares; then the name itself. */
  'x-sdk'?: string | SdkName | undefined
  'x-repeat-costs'?: boolean | undefined
  /** `key` where client libraries send an Idempotency-Key by themselves. */
  'x-idempotency'?: 'key'
  'x-acting-member'?: ActingMemberPlace | undefined
  'x-refuses-suspended'?: boolean
  'x-members-alone'?: boolean
  'x-etag'?: boolean
  /** The schema of the body as a form, where the route takes a form too. */
  'x-multipart'?: object | undefined
  'x-errors'?: Errors
  security?: Json[]
}

const DESCRIPTIONS: Readonly<Record<string, string>> = { 201: 'Created', 303: 'The browser is redirected' }

/** Adds what all operations share: security, error answers, headers, and examples made from the schemas' own. */
export function complete(method: string, path: string, operation: Operation): void {
  nameForSdk(method, path, operation)
  operation.security = securityOf(operation['x-access'])
  const isOpen = operation['x-access'] === 'open'
  const isRepeatable = method === 'post' && !isOpen
  if (isRepeatable) {
    operation.parameters = [...(operation.parameters ?? []), idempotencyKey]
    operation['x-errors'] = { ...operation['x-errors'], ...IDEMPOTENCY_ERRORS }
    if (operation['x-repeat-costs'] ?? '201' in operation.responses) operation['x-idempotency'] = 'key'
  }
  delete operation['x-repeat-costs']
  if (operation['x-refuses-suspended']) {
    const { secret } = operation['x-access'] as Exclude<Access, 'open'>
    if (secret !== undefined)
      operation['x-errors'] = { ...operation['x-errors'], ...byCode([memberSuspended]) }
  }
  delete operation['x-refuses-suspended']
  if (operation['x-members-alone'])
    operation['x-errors'] = { ...operation['x-errors'], ...byCode([operatorSession]) }
  delete operation['x-members-alone']
  const place = operation['x-acting-member']
  if (place !== undefined) {
    operation['x-errors'] = { ...operation['x-errors'], ...ACTING_MEMBER_ERRORS }
    if (place !== 'body') operation.parameters = [...(operation.parameters ?? []), userIdHeader(place)]
    delete operation['x-acting-member']
  }
  const isTagged = operation['x-etag'] === true
  const isConditional = isTagged && (method === 'patch' || method === 'delete')
  if (isConditional) operation.parameters = [...(operation.parameters ?? []), ifMatchHeader]
  delete operation['x-etag']
  for (const parameter of operation.parameters ?? []) {
    // The default is filled in before the route sees the value, so a client may omit it.
    if (parameter.schema?.default !== undefined) parameter.required = false
  }
  const body = operation.requestBody?.content?.['application/json']?.schema
  if (operation.requestBody && mayBeLeftOut(method.toUpperCase(), body))
    operation.requestBody.required = false
  for (const [status, response] of Object.entries(operation.responses)) {
    response.description = DESCRIPTIONS[status] ?? 'Success'
    response.headers = {
      ...headersOf(!isOpen, isRepeatable ? ['Idempotent-Replayed'] : []),
      ...(isTagged && method !== 'delete' ? headersOf(false, ['ETag']) : {}),
      ...response.headers,
    }
  }
  const form = operation['x-multipart']
  if (form && operation.requestBody?.content)
    operation.requestBody.content['multipart/form-data'] = { schema: form }
  delete operation['x-multipart']
  if (method === 'delete') exemplifyDeleted(operation)
  for (const part of [operation.requestBody, ...Object.values(operation.responses)]) {
    for (const media of Object.values(part?.content ?? {}))
      if (media.schema !== undefined) media.example ??= exampleOf(media.schema)
  }
  for (const status of errorStatuses(method, operation))
    operation.responses[status] = errorAnswer(status, !isOpen, operation['x-errors'])
  delete operation['x-errors']
}

function nameForSdk(method: string, path: string, operation: Operation): void {
  const declared = operation['x-sdk'] as string | undefined
  const { operationId } = operation
  operation['x-sdk'] = sdkNameOf(method, path, { operationId, declared, isList: isPage(operation) })
}

/** Whether the answer is a page of a list: it has `pagination`, or a link to the next page. */
function isPage({ responses, parameters = [] }: Operation): boolean {
  const schema = responses['200']?.content?.['application/json']?.schema as Json | undefined
  return 'pagination' in ((schema?.['properties'] ?? {}) as object) || parameters.some(isCursor)
}

const isCursor = ({ in: place, name }: Parameter): boolean => place === 'query' && name === 'cursor'

/** The example of a delete has the id that its path names, unless the route has an example of its own. */
function exemplifyDeleted({ parameters = [], responses }: Operation): void {
  const id = parameters.findLast(({ in: place }) => place === 'path')?.example
  const media = responses['200']?.content?.['application/json']
  if (id === undefined || media?.schema === undefined || hasOwnExample(media.schema)) return
  const example = exampleOf(media.schema) as { data?: { id?: unknown; deleted?: unknown } }
  if (example.data?.deleted === true) media.example = { ...example, data: { ...example.data, id } }
}

const hasOwnExample = (schema: object): boolean =>
  (schema as { properties?: { data?: { examples?: unknown } } }).properties?.data?.examples !== undefined

function errorStatuses(method: string, { parameters = [], ...operation }: Operation): string[] {
  const statuses = [
    ...['400', '500', '503'],
    // The project of a page may be suspended.
    ...(operation['x-access'] === 'open' ? ['403'] : ['401', '403', '429']),
    ...(parameters.some((parameter) => parameter.in === 'path') ? ['404'] : []),
    // Routes without a body refuse a body that is not empty.
    ...(method === 'get' ? [] : ['413', '422']),
    ...(parameters.includes(idempotencyKey) ? ['409'] : []),
    ...(parameters.includes(ifMatchHeader) ? ['412'] : []),
    // Of codes of its own that say which.
    ...Object.values(operation['x-errors'] ?? {}).flatMap((declared) =>
      typeof declared === 'string' ? ['422'] : [String(declared[0])],
    ),
  ]
  return [...new Set(statuses)].sort()
}

/** The credentials that an operation takes. `x-access` has the permission or the capability: linters refuse roles here. */
function securityOf(access: Access): Json[] {
  if (access === 'open') return []
  return [
    ...(access.secret === undefined ? [] : [{ secretKey: [] }]),
    ...(access.public === undefined ? [] : [{ publicKey: [] }]),
    ...(access.user === undefined ? [] : [{ memberToken: [] }]),
    ...(access.operator === undefined || access.operator === 'entry' ? [] : [{ operatorToken: [] }]),
  ]
}
