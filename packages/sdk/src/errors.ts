import type { CommonCode, OwnCodes } from './api.generated.ts'

/** What this library itself finds: no answer, none in time, or one that is not of this API. */
export type LocalCode = 'NO_ANSWER' | 'TIMEOUT' | 'NOT_JSON' | 'CANNOT_BE_SENT'

/** An operation, such as `members.create`. */
export type OperationName = keyof OwnCodes

/** One fault of the input. */
export interface Detail {
  /** The field, like `a.b[0]`. */
  readonly field: string
  readonly rule: string
  readonly message: string
}

interface Known {
  readonly code: string
  readonly status?: number | undefined
  readonly operation: string
  readonly docs?: string | undefined
  readonly requestId?: string | undefined
  readonly details?: readonly Detail[] | undefined
  readonly reason?: string | undefined
  readonly limit?: unknown
  readonly retryAfter?: number | undefined
}

/**
 * Why a call failed. Programs compare `code`; `message` is for people and can change.
 * @template Code the codes that the operation may answer; see `isErrorOf`
 */
export class GuildhallError<Code extends string = string> extends Error {
  override readonly name = 'GuildhallError'
  readonly code: Code
  /** The status of the answer; undefined where there was none. */
  readonly status: number | undefined
  /** The operation, such as `members.create`. */
  readonly operation: string
  /** The page that explains the code and says what to do. */
  readonly docs: string | undefined
  /** The id of the request in the logs of Guildhall. */
  readonly requestId: string | undefined
  /** All faults of the input. */
  readonly details: readonly Detail[]
  /** Why the code was answered: `expired` with `INVALID_TOKEN`. */
  readonly reason: string | undefined
  /** The limit that was exceeded. */
  readonly limit: unknown
  /** How many seconds to wait before the next call. */
  readonly retryAfter: number | undefined

  constructor(message: string, known: Known & { readonly code: Code }, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = known.code
    this.status = known.status
    this.operation = known.operation
    this.docs = known.docs
    this.requestId = known.requestId
    this.details = known.details ?? []
    this.reason = known.reason
    this.limit = known.limit
    this.retryAfter = known.retryAfter
  }
}

/** Whether a call failed as this operation can: `error.code` then has the codes of the operation. */
export const isErrorOf = <Name extends OperationName>(
  operation: Name,
  error: unknown,
): error is GuildhallError<OwnCodes[Name] | CommonCode | LocalCode> =>
  error instanceof GuildhallError && error.operation === operation
