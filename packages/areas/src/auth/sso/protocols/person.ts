/** Somebody, as a provider knows them. */
export interface Person {
  /** What they are called within the connection, for good. */
  readonly subject: string
  readonly email: string | undefined
  /** Whether the provider vouches for the address. */
  readonly isEmailVerified: boolean
  readonly name: string | undefined
  /** Whether the provider has asked for more than one factor. */
  readonly hasSecondFactor: boolean
}

/**
 * Why a login by a provider has led to nothing, as `error` says it to the site that is led back to:
 * - `access_denied`: the provider, or whoever logs in, has refused
 * - `provider_error`: the provider cannot be reached, or what it says does not hold
 * - `connection_disabled`: the connection was disabled or deleted meanwhile
 * - `email_missing`, `email_not_verified`: the provider tells no address, or does not vouch for it
 * - `domain_not_allowed`: the address is of a domain that this connection does not speak for, or another one does
 * - `account_not_verified`: an operator has given an account this address, and its member has not confirmed it
 * - `account_inactive`: the account is deactivated, or waits for its approval
 */
export const SSO_ERRORS = [
  'access_denied',
  'provider_error',
  'connection_disabled',
  'email_missing',
  'email_not_verified',
  'domain_not_allowed',
  'account_not_verified',
  'account_inactive',
] as const
export type SsoError = (typeof SSO_ERRORS)[number]
