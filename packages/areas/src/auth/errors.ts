import { defineError } from '#platform/define-error.ts'
import { ApiError } from '#platform/errors.ts'

/** What may be said of a login that failed: nothing about whether there is such an account. */
export const invalidCredentials = () =>
  new ApiError(401, 'INVALID_CREDENTIALS', 'The email or the password is wrong')

/** Of mails, authenticator apps and single sign-on alike. */
export const invalidCode = defineError({
  code: 'INVALID_CODE',
  message: 'This code is wrong, was used before or has expired: use the current one, or ask for a new one',
})

/** Which of these it is cannot be known: what a link has done is forgotten. */
export const invalidLink = defineError({
  code: 'INVALID_LINK',
  message: 'This link was used, has expired or was replaced by a newer one: ask for a new one',
})

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

/** Said of any answer of an authenticator that does not fit: which of its parts it is helps nobody but attackers. */
export const unknownPasskey = (cause?: unknown) =>
  new ApiError(
    401,
    'INVALID_CREDENTIALS',
    'The passkey is not known here, or its answer is not good any more',
    {
      cause,
    },
  )

export const invalidPasskey = (cause?: unknown) =>
  new ApiError(
    422,
    'INVALID_PASSKEY',
    'The passkey does not fit: begin again with POST /auth/passkeys/options',
    {
      cause,
    },
  )
