import type { ErrorType } from '../../../define-error.ts'
import type { CodeUse, OperationError } from '../reference/reference.ts'
import { type ErrorText, textOfError } from './error-text.ts'
import { PLATFORM_ERRORS } from './platform-errors.ts'

/** Cause and cure of every error, from what areas declare and what the platform answers. */
export class ErrorCatalogue {
  readonly #declared: ReadonlyMap<string, readonly ErrorType[]>

  constructor(errors: readonly ErrorType[]) {
    this.#declared = Map.groupBy(errors, ({ code }) => code)
  }

  /** Every code that is declared. */
  get codes(): string[] {
    return [...new Set([...Object.keys(PLATFORM_ERRORS), ...this.#declared.keys()])].sort()
  }

  /** What is declared and answered by no operation of the reference: the console's API answers it. */
  besides(known: ReadonlySet<string>): CodeUse[] {
    return [...this.#declared]
      .filter(([code]) => !known.has(code))
      .map(([code, types]) => ({
        code,
        status: String(types[0]?.status ?? ''),
        messages: types.map(({ message }) => message),
        example: { success: false, error: types[0]?.message, code, request_id: 'req_0hG1xQ2bT9fK' },
        operations: [],
      }))
  }

  /** Whether nearly every operation can answer it. */
  isShared(code: string): boolean {
    return code in PLATFORM_ERRORS
  }

  /** What the error of an operation means. Of two declarations with one code it is the one that the operation documents. */
  textOf({ code, message }: Pick<OperationError, 'code' | 'message'>): ErrorText {
    const shared = PLATFORM_ERRORS[code]
    if (shared !== undefined) return shared
    const same = this.#declared.get(code) ?? []
    const declared =
      same.find((type) => type.message === message) ?? (same.length === 1 ? same[0] : undefined)
    return textOfError(declared ?? { message })
  }
}
