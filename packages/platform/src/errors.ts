/** One fault of an input: where it is (`a.b[0]`), which rule it broke, and what was expected, in words. */
export interface FieldFault {
  readonly field: string
  readonly rule: string
  readonly message: string
}

/**
 * The rate limit that refused a request: how much it allows, in which time, and for whom it counts. Without a time it
 * allows so many at the same time.
 */
export interface LimitExceeded {
  readonly requests: number
  readonly per_seconds?: number
  readonly scope: 'key' | 'member' | 'address' | 'authentication' | 'project' | 'operator'
}

interface Options {
  readonly details?: readonly FieldFault[]
  /** Which of the cases of its code it is, for programs. */
  readonly reason?: string | undefined
  readonly limit?: LimitExceeded | number | undefined
  /** What a project has the most of that it may have. */
  readonly what?: string | undefined
  /** When a suspension ends; null for one without an end. */
  readonly until?: string | null | undefined
  /** What really happened, for the log. Never leaves the process. */
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The one error type that reaches a client: a status, a stable code and a public text; the cause stays private. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: readonly FieldFault[] | undefined
  readonly reason: string | undefined
  readonly limit: LimitExceeded | number | undefined
  readonly what: string | undefined
  readonly until: string | null | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(status: number, code: string, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.code = code
    this.details = options.details
    this.reason = options.reason
    this.limit = options.limit
    this.what = options.what
    this.until = options.until
    this.headers = options.headers
  }
}

/** 404. The same text for a missing row, another project's row and an id of another type. */
export const notFound = (what: string, cause?: unknown) =>
  new ApiError(404, 'NOT_FOUND', `${what} not found`, { cause })

/** 422 with one fault of a body field. */
export const invalidField = (field: string, rule: string, message: string, cause?: unknown) =>
  invalidBody([{ field, rule, message }], cause)

/** Faults in one answer; more would make a large answer of a large mistake. */
export const MAX_FAULTS = 100

/** 422 with all faults of a body, a hundred at the most. */
export const invalidBody = (faults: readonly FieldFault[], cause?: unknown) =>
  new ApiError(422, 'VALIDATION_ERROR', summary('The request body', faults), {
    details: faults.slice(0, MAX_FAULTS),
    cause,
  })

/** 422 where a body is needed and none was sent. */
export const missingBody = () =>
  new ApiError(422, 'VALIDATION_ERROR', 'The request has no body: send a JSON body', {
    details: [{ field: '', rule: 'required', message: 'is required: send a JSON body' }],
  })

/** 400 with all faults of a query string or path, a hundred at the most. */
export const invalidParameters = (faults: readonly FieldFault[]) =>
  new ApiError(400, 'INVALID_PARAMETERS', summary('The request', faults), {
    details: faults.slice(0, MAX_FAULTS),
  })

/** 400 for a filter that takes an id. */
export const invalidId = (field: string) =>
  invalidParameters([{ field, rule: 'id', message: 'is not an id of the right kind' }])

/** Why a credential is refused, with the sentence that says what to do. */
const TOKEN_FAULTS = {
  not_bearer: 'The Authorization header has no bearer token: send "Authorization: Bearer <key>"',
  malformed:
    'This is not an API key (svc_sk_… or svc_pk_…) or an access token: check that you copied it completely',
  wrong_environment:
    'The environment in this API key was changed: use a key of the other environment, because live and test have different keys',
  unknown_key: 'This API key is unknown: check that it belongs to this installation, or create a new one',
  revoked: 'This API key was revoked: use another key, or create a new one',
  expired_key: 'This API key has expired: use another key, or create a new one',
  expired_token: 'This token has expired: get a new one with POST /auth/refresh, or log in again',
  bad_signature: 'This access token was not issued by this installation, or it was changed: log in again',
  unknown_token: 'This token is unknown, was used before or has expired: log in again',
  reused: 'This refresh token was used before, so its session has ended: log in again',
  not_operator: 'This is the token of a member of a project: log in to the console as an operator',
  role_ended:
    'The role of this operator in the project has ended or changed: get a new operator token from the console',
  session_ended: 'The session of this token has ended: log in again',
} as const

export type TokenFault = keyof typeof TOKEN_FAULTS

/** Reasons as the API says them: a key and a token expire alike. */
const reasonOf = (fault: TokenFault) => (fault.startsWith('expired') ? 'expired' : fault)

/** What `reason` can be beside `INVALID_TOKEN`. */
export const TOKEN_REASONS: readonly string[] = [
  ...new Set((Object.keys(TOKEN_FAULTS) as TokenFault[]).map(reasonOf)),
]

/** 401, with the reason and what to do. @param message in place of the usual sentence */
export const invalidToken = (fault: TokenFault, message: string = TOKEN_FAULTS[fault]) =>
  new ApiError(401, 'INVALID_TOKEN', message, { reason: reasonOf(fault) })

/** 429 where so many are under way already. */
export const tooManyAtOnce = (message: string, limit: Omit<LimitExceeded, 'per_seconds'>) =>
  new ApiError(429, 'RATE_LIMITED', message, { limit, headers: { 'retry-after': '10' } })

/** 429 where so many were made within a time. */
export const tooManyWithin = (message: string, limit: LimitExceeded, retryAfterSeconds: number) =>
  new ApiError(429, 'RATE_LIMITED', message, {
    limit,
    headers: { 'retry-after': String(retryAfterSeconds) },
  })

/** 403. */
export const forbidden = (message: string) => new ApiError(403, 'INSUFFICIENT_PERMISSIONS', message)

const UNKNOWN_PARAMETER = 'is not a known parameter'

function summary(what: string, details: readonly FieldFault[]): string {
  const first = details[0]
  if (first?.message.startsWith(UNKNOWN_PARAMETER) && details.length === 1)
    return `Unknown parameter \`${first.field}\`${first.message.slice(UNKNOWN_PARAMETER.length)}`
  const rest = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  // The field of the whole is empty.
  return first
    ? `${what} is invalid: ${`${first.field} ${first.message}`.trim()}${rest}`
    : `${what} is invalid`
}
