import type { ErrorType } from '../../define-error.ts'
import { ErrorBody, oneOf } from '../envelope.ts'

type Json = Record<string, unknown>

/** The codes of a status, each with an example of its message. */
interface Answer {
  readonly name: string
  readonly description: string
  readonly codes: Readonly<Record<string, string>>
  readonly headers?: readonly string[]
  /** Fields that every answer of the status has, besides those of all errors. */
  readonly requires?: readonly string[]
}

/** Every error that any endpoint may answer, by status. Routes declare the errors that only they answer. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is malformed',
    codes: {
      INVALID_JSON: 'The request body is not valid JSON: Unexpected end of JSON input',
      INVALID_PARAMETERS: 'The request is invalid: page must be at least 1',
      UNSUPPORTED_CONTENT_TYPE: 'Send the body as Content-Type: application/json',
    },
  },
  401: {
    name: 'Unauthorized',
    description:
      'The credential is missing, malformed, unknown, revoked or expired. With `INVALID_TOKEN`, `reason` says which',
    codes: {
      AUTH_REQUIRED: 'Authentication is required: send "Authorization: Bearer <key>"',
      INVALID_TOKEN: 'This API key was revoked: use another key, or create a new one',
    },
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description: 'The credential does not allow this, or not from this address or origin',
    codes: {
      INSUFFICIENT_PERMISSIONS: 'This key lacks the permission write:members',
      PROJECT_SUSPENDED:
        'This project is suspended. Nothing of it is lost: ask the operator of this installation to resume it',
      OPERATOR_SESSION: 'An operator is logged in as this member, and only the member may do this',
      MEMBER_SUSPENDED: 'You are suspended and cannot write: `reason` says why, and `until` when it ends',
    },
  },
  404: {
    name: 'NotFound',
    description: 'There is no such resource in this project',
    codes: { NOT_FOUND: 'Member not found' },
  },
  409: {
    name: 'Conflict',
    description:
      'The first request with this Idempotency-Key is still being handled; repeat this request later',
    codes: {
      IDEMPOTENCY_IN_PROGRESS:
        'A request with this Idempotency-Key is still being handled: repeat this request later',
    },
    headers: ['Retry-After'],
  },
  412: {
    name: 'ChangedMeanwhile',
    description: 'The resource has changed: it has another `ETag` than `If-Match`. Nothing was done',
    codes: { CHANGED_MEANWHILE: 'The resource has changed since you read it: get it again, then change it' },
    headers: ['ETag'],
  },
  413: {
    name: 'TooLarge',
    description: 'The body is too large',
    codes: { PAYLOAD_TOO_LARGE: 'The request body is larger than 1 MiB' },
  },
  422: {
    name: 'Unprocessable',
    description: 'The body is not valid; `details` lists all faults',
    codes: { VALIDATION_ERROR: 'The request body is invalid: email is required' },
  },
  429: {
    name: 'RateLimited',
    description:
      'Too many requests. `limit` names the limit and the requests that it counts. Wait for the number of seconds in `Retry-After`',
    codes: {
      RATE_LIMITED: 'Too many requests with this API key: 60 per minute are allowed. Try again in 12 s',
    },
    headers: ['Retry-After'],
    requires: ['limit'],
  },
  500: {
    name: 'ServerError',
    description: 'An error on our side',
    codes: { INTERNAL_ERROR: 'Something went wrong on our side: try again' },
  },
  503: {
    name: 'Unavailable',
    description: 'Not available now; the request can be repeated',
    codes: {
      UNAVAILABLE: 'The database cannot be reached now: try again',
      PROJECT_MOVING: 'This project is being moved: try again in a few seconds',
      PROJECT_MOVED: 'This project has just moved to another installation: try again',
      CELL_UNAVAILABLE: 'The installation in which this project lives cannot be reached now: try again',
    },
    headers: ['Retry-After'],
  },
}

/** What is answered where no credential is needed, in place of the same status of the others. */
const OF_PAGES: Readonly<Record<string, Answer>> = {
  403: {
    name: 'ForbiddenPage',
    description: 'The project of the page is suspended',
    codes: {
      PROJECT_SUSPENDED:
        'This project is suspended. Nothing of it is lost: ask the operator of this installation to resume it',
    },
  },
}

/** The headers of every answer to a request that is counted: one that needs a credential. */
const LIMIT_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

/** What headers of answers mean, for the document's components. */
export const answerHeaders: Json = {
  'X-Request-Id': header('The id of the request in our logs; a request can send its own', 'req_0hG1xQ2bT9fK'),
  'X-RateLimit-Limit': header('Requests allowed per minute', 300),
  'X-RateLimit-Remaining': header('Requests left in this window', 299),
  'X-RateLimit-Reset': header('When the window ends, as Unix time', 1_795_251_660),
  RateLimit: header(
    'The same, as the IETF defines it: the remaining requests, and the seconds until the window ends',
    '"key";r=299;t=60',
  ),
  'RateLimit-Policy': header(
    'The limit, as the IETF defines it: the allowed requests and the window in seconds',
    '"key";q=300;w=60',
  ),
  ETag: header('The version of the fields that PATCH can change, for `If-Match`', '"3q2-7wW1nJx0vK8tYbL5cA"'),
  'Idempotent-Replayed': header('`true` if this is the stored answer of an earlier request', 'true'),
  'Retry-After': header('How many seconds to wait before the next request', 12),
  'WWW-Authenticate': header('How to authenticate', 'Bearer'),
}

function header(description: string, example: string | number): Json {
  return { description, schema: { type: typeof example === 'number' ? 'integer' : 'string' }, example }
}

/** References to the headers of an answer: those of all, those of counted requests, and `more`. */
export const headersOf = (isCounted: boolean, more: readonly string[] = []): Json =>
  Object.fromEntries(
    ['X-Request-Id', ...(isCounted ? LIMIT_HEADERS : []), ...more].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  )

/** The shared error answers, by name, for the document's components. */
export const sharedAnswers = (): Json =>
  Object.fromEntries(Object.values(ANSWERS).map((answer) => [answer.name, toResponse(answer, true)]))

/** A route's own codes: the meaning of each, and its status where it is not 422. */
export type Errors = Readonly<Record<string, string | readonly [status: number, meaning: string]>>

/** Declared errors by their codes, as an operation lists them. Two errors with the same code share a line. */
export function byCode(errors: readonly ErrorType[] = []): Errors {
  const codes = Map.groupBy(errors, ({ code }) => code)
  return Object.fromEntries(
    [...codes].map(([code, same]) => {
      const meaning = same.map(({ message }) => message).join('; or: ')
      return [code, [same[0]?.status ?? 422, meaning] as const]
    }),
  )
}

/**
 * An operation's answer of a status that is an error.
 * @param isCounted whether its requests need a credential
 * @param errors codes that this operation alone answers, besides those that all may
 */
export function errorAnswer(status: string, isCounted: boolean, errors: Errors = {}): Json {
  const answer = isCounted ? ANSWERS[status] : (OF_PAGES[status] ?? ANSWERS[status])
  if (answer === undefined) throw new Error(`${status} is not a documented error`)
  const own = ofStatus(status, errors)
  if (Object.keys(own).length === 0 && isCounted) return { $ref: `#/components/responses/${answer.name}` }
  const meanings = Object.entries(own).map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  const description = [`${answer.description}; or`, ...meanings].join('\n')
  const described =
    meanings.length === 0 ? answer : { ...answer, description, codes: { ...answer.codes, ...own } }
  return toResponse(described, isCounted)
}

function ofStatus(status: string, errors: Errors): Record<string, string> {
  const own = Object.entries(errors).flatMap(([code, declared]): [string, string][] => {
    const [its, meaning] = typeof declared === 'string' ? [422, declared] : declared
    return String(its) === status ? [[code, meaning]] : []
  })
  return Object.fromEntries(own)
}

function toResponse({ description, codes, headers, requires = [] }: Answer, isCounted: boolean): Json {
  const examples = Object.entries(codes).map(([code, error]) => [code, { value: exampleOf(code, error) }])
  const schema = {
    allOf: [
      ErrorBody,
      {
        type: 'object',
        properties: {
          code: oneOf(Object.keys(codes)),
          ...Object.fromEntries(requires.map((name) => [name, {}])),
        },
        ...(requires.length > 0 && { required: requires }),
      },
    ],
  }
  return {
    description,
    headers: headersOf(isCounted, headers),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  }
}

function exampleOf(code: string, error: string): Json {
  const details = DETAILS[code]
  return {
    success: false,
    error,
    code,
    request_id: 'req_0hG1xQ2bT9fK',
    ...MORE[code],
    ...(details && { details: [details] }),
  }
}

const DETAILS: Readonly<Record<string, Json>> = {
  INVALID_PARAMETERS: { field: 'page', rule: 'minimum', message: 'must be at least 1' },
  VALIDATION_ERROR: { field: 'email', rule: 'required', message: 'is required' },
}

/** What stands beside the sentence. */
const MORE: Readonly<Record<string, Json>> = {
  LIMIT_REACHED: { limit: 500, what: 'things of this kind' },
  INVALID_TOKEN: { reason: 'revoked' },
  MEMBER_SUSPENDED: { reason: 'Insults, three times', until: '2026-12-21T09:00:00.000Z' },
  RATE_LIMITED: { limit: { requests: 60, per_seconds: 60, scope: 'key' } },
}
