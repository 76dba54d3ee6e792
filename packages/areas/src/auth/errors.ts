import { ApiError } from '#platform/errors.ts'

/** What may be said of a login that failed: nothing about whether there is such an account. */
export const invalidCredentials = () =>
  new ApiError(401, 'INVALID_CREDENTIALS', 'The email or the password is wrong')

export const invalidCode = () => new ApiError(422, 'INVALID_CODE', 'The code is wrong, or was used before')

/** Said to whoever has shown the right password. */
export const emailNotVerified = () =>
  new ApiError(
    422,
    'EMAIL_NOT_VERIFIED',
    'Confirm the email address first; POST /auth/email/resend sends a new mail',
  )

/** Said to whoever has shown the right password. */
export const accountPending = () =>
  new ApiError(422, 'ACCOUNT_PENDING', 'This account waits for its approval')
