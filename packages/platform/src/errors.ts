/** One fault of an input: where it is (`a.b[0]`), which rule it broke, and what was expected, in words. */
export interface FieldFault {
  readonly field: string
  readonly rule: string
  readonly message: string
}

interface Options {
  readonly details?: readonly FieldFault[]
  /** What really happened, for the log. Never leaves the process. */
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The one error type that reaches a client: a status, a stable code and a public text; the cause stays private. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly details: readonly FieldFault[] | undefined
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(status: number, code: string, message: string, options: Options = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.code = code
    this.details = options.details
    this.headers = options.headers
  }
}

/** 404. The same text for a missing row, another project's row and an id of another type. */
export const notFound = (what: string, cause?: unknown) =>
  new ApiError(404, 'NOT_FOUND', `${what} not found`, { cause })

/** 422 with one fault of a body field. */
export const invalidField = (field: string, rule: string, message: string, cause?: unknown) =>
  invalidBody([{ field, rule, message }], cause)

/** Faults that are told at once; more would make a large answer of a large mistake. */
export const MAX_FAULTS = 100

/** 422 with all faults of a body, a hundred at the most. */
export const invalidBody = (faults: readonly FieldFault[], cause?: unknown) =>
  new ApiError(422, 'VALIDATION_ERROR', summary('The request body', faults), {
    details: faults.slice(0, MAX_FAULTS),
    cause,
  })

/** 400 with all faults of a query string or path, a hundred at the most. */
export const invalidParameters = (faults: readonly FieldFault[]) =>
  new ApiError(400, 'INVALID_PARAMETERS', summary('The request', faults), {
    details: faults.slice(0, MAX_FAULTS),
  })

/** 401: the credential is malformed, unknown, revoked or expired; which of them is not said. */
export const invalidToken = () => new ApiError(401, 'INVALID_TOKEN', 'The token is invalid or has expired')

/** 403. */
export const forbidden = (message: string) => new ApiError(403, 'INSUFFICIENT_PERMISSIONS', message)

function summary(what: string, details: readonly FieldFault[]): string {
  const first = details[0]
  const rest = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  // The field of the whole is empty.
  return first
    ? `${what} is invalid: ${`${first.field} ${first.message}`.trim()}${rest}`
    : `${what} is invalid`
}
