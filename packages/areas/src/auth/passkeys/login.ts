import type { FastifyRequest } from 'fastify'
import type { Context } from '#platform/db/tenant.ts'
import { invalidToken } from '#platform/errors.ts'
import { unknownPasskey } from '../errors.ts'
import { getSettings } from '../member-queries.ts'
import { deviceOf } from '../sessions/sessions.ts'
import { type FirstStep, type Method, type SignIn, signIn } from '../sessions/sign-in.ts'
import { dropToken, tryMfaToken } from '../tokens/queries.ts'
import { hashToken } from '../tokens/refresh-token.ts'
import { hashChallenge } from './passkeys.ts'
import { findPasskey, takeChallenge, usePasskey } from './queries.ts'
import { originsWithin } from './relying-party.ts'
import type { ShownCredential } from './schema.ts'
import { challengeIn, verifyShownPasskey } from './webauthn.ts'

/**
 * Logs in the member whose authenticator answered. A passkey counts as two factors if its authenticator has verified
 * the user, or if another first factor was shown before.
 * @param mfaToken of a login that waits for its second factor
 * @throws ApiError 401 INVALID_CREDENTIALS for any fault in the answer; 401 INVALID_TOKEN for an `mfaToken` that is not
 *   valid (any more)
 */
export async function logInByPasskey(
  request: FastifyRequest,
  credential: ShownCredential,
  mfaToken: string | undefined,
): Promise<SignIn> {
  const shown = await checkShownPasskey(request, credential)
  const signedIn = await request.write(async (ctx) => {
    const method = await methodOf(ctx, shown.memberId, shown.isUserVerified, mfaToken)
    if (!(await usePasskey(ctx, shown))) return undefined
    return signIn(ctx, shown.memberId, { ...method, device: deviceOf(request) })
  })
  if (!signedIn) throw unknownPasskey()
  return signedIn
}

/** A passkey whose authenticator has answered. Call `usePasskey` with it in the transaction that relies on it. */
interface ShownPasskey {
  readonly id: string
  readonly memberId: string
  readonly isUserVerified: boolean
  readonly counter: number
}

/**
 * Checks the answer of an authenticator to a challenge that is then used up.
 * @throws ApiError 401 INVALID_CREDENTIALS for any fault in the answer
 */
export async function checkShownPasskey(
  request: FastifyRequest,
  credential: ShownCredential,
): Promise<ShownPasskey> {
  const challenge = readChallenge(credential)
  // The transaction is committed in any case, because the challenge is used up.
  const asked = await request.write(async (ctx) => {
    const settings = getSettings(ctx)
    const taken = await takeChallenge(ctx, { hash: hashChallenge(challenge), memberId: null })
    if (!taken) return undefined
    const { rp_id: rpId } = taken
    const passkey = await findPasskey(ctx, { credentialId: Buffer.from(credential.id, 'base64url'), rpId })
    return passkey && { passkey, rpId, origins: originsWithin(await settings, rpId) }
  })
  if (!asked) throw unknownPasskey()
  const { passkey, ...expected } = asked
  const { isUserVerified, counter } = await verifyShownPasskey(
    credential,
    { challenge, ...expected },
    passkey,
  ).catch((cause) => {
    throw unknownPasskey(cause)
  })
  return { id: passkey.id, memberId: passkey.member_id, isUserVerified, counter }
}

function readChallenge({ response }: ShownCredential): string {
  try {
    return challengeIn(response.clientDataJSON)
  } catch (cause) {
    throw unknownPasskey(cause)
  }
}

async function methodOf(
  ctx: Context,
  memberId: string,
  isUserVerified: boolean,
  mfaToken: string | undefined,
): Promise<Omit<Method, 'device'>> {
  if (mfaToken === undefined) return { amr: ['passkey'], aal: isUserVerified ? 'aal2' : 'aal1' }
  const begun = await tryMfaToken(ctx, { hash: hashToken(mfaToken) })
  if (begun?.member_id !== memberId) throw invalidToken('unknown_token')
  dropToken(ctx, { id: begun.id })
  const { amr, sso } = begun.details as unknown as FirstStep
  return { amr: [...amr, 'passkey'], aal: 'aal2', sso }
}
