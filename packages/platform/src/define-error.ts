import { ApiError, type FieldFault } from './errors.ts'

interface Description {
  /** What programs decide on, such as `EMAIL_TAKEN`. */
  readonly code: string
  /** @default 422 */
  readonly status?: number
  /** What went wrong and what to do, in one sentence. */
  readonly message: string
  /** Which field of the body is at fault, where it is always the same. */
  readonly details?: readonly FieldFault[]
}

/**
 * An error of an area: said once, and used by routes (`config.errors`), constraints and the API's document alike. Calling
 * it makes one to throw.
 */
export interface ErrorType {
  /**
   * @param cause what really happened, for the log
   * @param told what is said of this one case in place of what is declared
   */
  (cause?: unknown, told?: Partial<Pick<Description, 'message' | 'details'>>): ApiError
  readonly code: string
  readonly status: number
  readonly message: string
}

/** Declares an error. A route that can answer it lists it in `config.errors`. */
export function defineError({ code, status = 422, message, details }: Description): ErrorType {
  const make: (...given: Parameters<ErrorType>) => ApiError = (cause, told = {}) => {
    const faults = told.details ?? details
    return new ApiError(status, code, told.message ?? message, {
      ...(faults && { details: faults }),
      ...(cause !== undefined && { cause }),
    })
  }
  return Object.freeze(Object.assign(make, { code, status, message }))
}

const isErrorType = (value: unknown): value is ErrorType => typeof value === 'function' && 'code' in value

/** The errors that a module exports, each by itself or in a list. */
export const errorsIn = (module: Readonly<Record<string, unknown>>): readonly ErrorType[] => [
  ...new Set(Object.values(module).flat().filter(isErrorType)),
]
