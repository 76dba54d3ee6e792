import { defineError } from '#platform/define-error.ts'

/** Factors, and passkeys, of a member at the most. */
export const MAX_FACTORS = 10

/** The only message of a failed login. It does not say whether the account exists. */
export const invalidCredentials = defineError({
  code: 'INVALID_CREDENTIALS',
  status: 401,
  message: 'The email or the password is wrong',
  cure: 'Ask the member for both again, and offer a link by mail: `POST /auth/magic-link`. The answer does not say which of the two is wrong, so that nobody finds out who is a member.',
})

export const wrongPassword = defineError({
  code: 'INVALID_CREDENTIALS',
  status: 401,
  message: 'The current password is wrong',
  cure: 'Ask the member for the current password again. A member who has forgotten it sets a new one with `POST /auth/password/forgot`.',
})

/** The same error for codes of mails, of authenticator apps and of single sign-on. */
export const invalidCode = defineError({
  code: 'INVALID_CODE',
  message: 'This code is wrong, was used before or has expired: use the newest code, or ask for a new one',
})

/** The error cannot say which of these it is: a link that was used is not stored. */
export const invalidLink = defineError({
  code: 'INVALID_LINK',
  message: 'This link was used, has expired or was replaced by a newer one: ask for a new one',
})

/** Answered only after the right password. */
export const emailNotVerified = defineError({
  code: 'EMAIL_NOT_VERIFIED',
  message: 'The email address is not confirmed: confirm it first. POST /auth/email/resend sends a new mail',
})

/** Answered only after the right password. */
export const accountPending = defineError({
  code: 'ACCOUNT_PENDING',
  message: 'This account waits for approval: ask the operator of the site',
})

/** Answered only after the right password. */
export const accountDeleted = defineError({
  code: 'ACCOUNT_DELETED',
  message:
    'This account was deleted, and is erased 30 days after that: ask the operator of the site to restore it, or sign up again',
})

export const recentLoginRequired = defineError({
  code: 'RECENT_LOGIN_REQUIRED',
  status: 403,
  message:
    'Prove that you are the member: send the password or a code of a second factor, or log in again and repeat the request within 10 minutes',
})

export const factorRequired = defineError({
  code: 'FACTOR_REQUIRED',
  message: 'This account has an authenticator app: send a code of it, or the answer of a passkey',
})

/** The same error for every fault in an authenticator's answer: details would help only attackers. */
export const unknownPasskey = defineError({
  code: 'INVALID_CREDENTIALS',
  status: 401,
  message: 'This passkey is unknown, or its answer has expired: try again, or log in another way',
})

export const invalidPasskey = defineError({
  code: 'INVALID_PASSKEY',
  message: 'This passkey does not match the options: start again with POST /auth/passkeys/options',
})

export const knownPasskey = defineError({
  code: 'INVALID_PASSKEY',
  message: 'This passkey is already registered: use another passkey',
})

export const mfaRequired = defineError({
  code: 'MFA_REQUIRED',
  status: 403,
  message:
    'This session has no second factor, but the member has one: log in again, and send the second factor with POST /auth/mfa/verify',
})

export const tooManyFactors = defineError({
  code: 'TOO_MANY_FACTORS',
  message: `A member has at most ${MAX_FACTORS} second factors and ${MAX_FACTORS} passkeys: remove one first`,
})

export const noFactors = defineError({
  code: 'NO_FACTORS',
  message: 'Recovery codes need an authenticator app, and the member has none: add an app first',
})

export const invitationPending = defineError({
  code: 'INVITATION_PENDING',
  message: 'This address is invited already: send that invitation again, or revoke it',
  details: [{ field: 'email', rule: 'unique', message: 'is invited already' }],
})

export const ssoRequired = defineError({
  code: 'SSO_REQUIRED',
  message: 'Addresses of this domain must log in by single sign-on: see GET /auth/sso/connections',
})

export const providerUnavailable = defineError({
  code: 'SSO_PROVIDER_UNAVAILABLE',
  message: 'The provider cannot be reached, or its settings have changed: try again, or check the connection',
})

export const invalidState = defineError({
  code: 'INVALID_STATE',
  status: 400,
  message: 'This login is unknown, was used before, or took too long: start again',
})
