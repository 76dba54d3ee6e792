import { ApiError, type FieldFault } from './errors.ts'

interface Description {
  /** The code for programs, such as `EMAIL_TAKEN`. */
  readonly code: string
  /** @default 422 */
  readonly status?: number
  /** What went wrong and what to do, in one sentence. */
  readonly message: string
  /** What to do, where it is more than the message can say: Markdown for the page of the error. */
  readonly cure?: string
  /** The fault of a field, if it is always the same field. */
  readonly details?: readonly FieldFault[]
}

/** How many there can be, and of what. */
interface ThingLimit {
  readonly limit: number
  readonly what: string
}

/**
 * An error of an area. It is declared once and used by routes (`config.errors`), by constraints and in the document of
 * the API. Calling it creates an error to throw.
 */
export interface ErrorType {
  /**
   * @param cause the internal cause, for the log
   * @param specifics replaces the declared message or details in this case, and adds which limit it is, or which case of the code
   */
  (
    cause?: unknown,
    specifics?: Partial<Pick<Description, 'message' | 'details'> & ThingLimit & Pick<ApiError, 'reason'>>,
  ): ApiError
  readonly code: string
  readonly status: number
  readonly message: string
  readonly cure: string | undefined
}

/** Declares an error. A route that can answer it lists it in `config.errors`. */
export function defineError({ code, status = 422, message, cure, details }: Description): ErrorType {
  const make: (...given: Parameters<ErrorType>) => ApiError = (cause, specifics = {}) => {
    const faults = specifics.details ?? details
    return new ApiError(status, code, specifics.message ?? message, {
      ...(faults && { details: faults }),
      ...(specifics.limit !== undefined && { limit: specifics.limit }),
      ...(specifics.reason !== undefined && { reason: specifics.reason }),
      ...(specifics.what !== undefined && { what: specifics.what }),
      ...(cause !== undefined && { cause }),
    })
  }
  return Object.freeze(Object.assign(make, { code, status, message, cure }))
}

const isErrorType = (value: unknown): value is ErrorType => typeof value === 'function' && 'code' in value

/** The errors that a module exports, each by itself or in a list. */
export const errorsIn = (module: Readonly<Record<string, unknown>>): readonly ErrorType[] => [
  ...new Set(Object.values(module).flat().filter(isErrorType)),
]

/** A project has as many things of a kind as it can have (`app.limited_table`). Routes that make such things list it. */
export const limitReached = defineError({
  code: 'LIMIT_REACHED',
  message:
    'There can be no more of these: remove one first. `what` names them, and `limit` is how many there can be',
})

/** 422. Constraints on slugs are translated to it. @param thing what has the slug: "plan" */
export const slugTakenBy = (thing: string): ErrorType =>
  defineError({
    code: 'SLUG_TAKEN',
    message: `Another ${thing} has this slug: choose another slug`,
    details: [{ field: 'slug', rule: 'unique', message: 'is taken' }],
  })
