/** What providers call a login that more than one factor was asked for: as `acr`, or as SAML's context class. */
export const TWO_FACTORS: readonly string[] = [
  'https://refeds.org/profile/mfa',
  'http://schemas.microsoft.com/claims/multipleauthn',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract',
  'urn:okta:loa:2fa:any',
]
