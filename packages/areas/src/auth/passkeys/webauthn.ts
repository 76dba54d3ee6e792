import type { WebAuthnCredential } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { fits } from '#platform/values/fits.ts'
import { isTransport, type NewCredential, type ShownCredential } from './schema.ts'

/**
 * EdDSA, ES256 and RS256. Not what only some of our runtimes know: a passkey is to work on all of them.
 */
export const ALGORITHMS = [-8, -7, -257]

/** Loaded when a passkey is first used: it has 350 files, and most processes and projects use no passkeys. */
export const loadWebAuthn = () => import('@simplewebauthn/server')

/** What an authenticator's answer must be for. */
export interface Expected {
  /** base64url */
  readonly challenge: string
  readonly origins: readonly string[]
  readonly rpId: string
}

export interface VerifiedPasskey {
  readonly credential: WebAuthnCredential
  /** Whether the authenticator has verified its user, by a finger, a face or a PIN. */
  readonly isUserVerified: boolean
}

const ClientData = Type.Object({ challenge: Type.String({ minLength: 1, maxLength: 256 }) })

/** The challenge that an answer says it is for, in base64url; nothing is proven by it. @throws Error where it says none */
export function challengeIn(clientDataJSON: string): string {
  const clientData: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
  if (!fits(ClientData, clientData)) throw new TypeError('the data of a client has no challenge')
  return clientData.challenge
}

/** Verifies a new passkey. @throws Error, of any kind, for what does not fit */
export async function verifyNewPasskey(
  { id, rawId, type, response }: NewCredential,
  { challenge, origins, rpId }: Expected,
): Promise<VerifiedPasskey> {
  const { clientDataJSON, attestationObject, transports = [] } = response
  await assertNoAttestation(attestationObject)
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const verification = await verifyRegistrationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verification.verified) throw new Error('the attestation is wrong')
  const { credential, userVerified } = verification.registrationInfo
  return {
    credential: { ...credential, transports: transports.filter(isTransport) },
    isUserVerified: userVerified,
  }
}

/** Verifies the answer of a known passkey. @throws Error, of any kind, for what does not fit */
export async function verifyShownPasskey(
  { id, rawId, type, response }: ShownCredential,
  { challenge, origins, rpId }: Expected,
  known: { readonly public_key: Buffer; readonly counter: number },
): Promise<{ counter: number; isUserVerified: boolean }> {
  const { clientDataJSON, authenticatorData, signature } = response
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id,
      rawId,
      type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: false,
    credential: { id, publicKey: new Uint8Array(known.public_key), counter: known.counter },
  })
  if (!verified) throw new Error('the signature is wrong')
  return { counter: authenticationInfo.newCounter, isUserVerified: authenticationInfo.userVerified }
}

/**
 * We ask for no attestation, so a browser sends none, or one that the passkey itself has signed. Certificates are not
 * checked: they name addresses for revocation checks that the server would call, and anybody can write certificates.
 */
async function assertNoAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  const isBare = format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
  if (!isBare) throw new Error('there is an attestation, for which nobody asked')
}
