import { createHash } from 'node:crypto'
import { Type } from 'typebox'

// PKCE (RFC 7636, S256): the start of a login sends a challenge, and its end sends the verifier behind it.

/** For the request that starts a login. */
export const CodeChallenge = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description:
    'The SHA-256 of a random `code_verifier`, in base64url (PKCE, S256). Your site keeps the `code_verifier` and sends it with the code',
  examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
})

/** For the request that ends it. */
export const CodeVerifier = Type.String({
  pattern: '^[A-Za-z0-9._~-]{43,128}$',
  description: 'The random text whose SHA-256 is the `code_challenge`',
  examples: ['dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'],
})

/** Whether a challenge was made from that verifier. */
export const isChallengeOf = (challenge: string, verifier: string): boolean =>
  challenge === createHash('sha256').update(verifier).digest('base64url')
