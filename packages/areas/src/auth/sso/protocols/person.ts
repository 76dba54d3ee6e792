/** A person, as a provider describes them. */
export interface Person {
  /** The permanent identifier of the person in this connection. */
  readonly subject: string
  readonly email: string | undefined
  /** True if the provider vouches for the address. */
  readonly isEmailVerified: boolean
  readonly name: string | undefined
  /** True if the provider asked for more than one factor. */
  readonly hasSecondFactor: boolean
  /** When the person logged in at the provider; undefined if it does not say. */
  readonly authenticatedAt?: Date | undefined
}

/**
 * Why a login by a provider failed, as `error` tells the site:
 * - `access_denied`: the provider refused, or the person canceled
 * - `provider_error`: the provider cannot be reached, or its answer is invalid
 * - `connection_disabled`: the connection was disabled or deleted during the login
 * - `email_missing`, `email_not_verified`: the provider sends no address, or does not vouch for it
 * - `domain_not_allowed`: the domain of the address does not belong to this connection, or it belongs to another one
 * - `account_not_verified`: an operator set this address on an account, and the member has not confirmed it
 * - `account_inactive`: the account is deactivated, or is not approved yet
 * - `sign_up_closed`, in the console alone: there is no operator with the address, and nobody new can come in
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
export type SsoError = (typeof SSO_ERRORS)[number] | 'sign_up_closed'

/** Values of `acr`, or of the SAML context class, for a login with more than one factor. */
export const TWO_FACTORS: readonly string[] = [
  'https://refeds.org/profile/mfa',
  'http://schemas.microsoft.com/claims/multipleauthn',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract',
  'urn:okta:loa:2fa:any',
]
