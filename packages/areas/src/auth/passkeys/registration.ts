import type { FastifyRequest } from 'fastify'
import { memberOf } from '#platform/http/caller.ts'
import { invalidPasskey } from '../errors.ts'
import type { Identity } from '../identity.ts'
import { getSettings } from '../member-queries.ts'
import type { Factor } from '../second-factors/schema.ts'
import { addPasskey, hashChallenge } from './passkeys.ts'
import { takeChallenge } from './queries.ts'
import { originsWithin } from './relying-party.ts'
import type { NewCredential } from './schema.ts'
import { challengeIn, verifyNewPasskey } from './webauthn.ts'

/**
 * Adds the passkey that an authenticator has made for the member who asks.
 * @throws ApiError 422 INVALID_PASSKEY, whatever it is that does not fit, or TOO_MANY_FACTORS; 403 MFA_REQUIRED
 */
export async function registerPasskey(
  request: FastifyRequest,
  { sendMail }: Identity,
  { name = 'Passkey', credential }: { readonly name?: string; readonly credential: NewCredential },
): Promise<Factor> {
  const caller = memberOf(request)
  const challenge = readChallenge(credential)
  // The transaction is committed in any case, because the challenge is used up.
  const expected = await request.write(async (ctx) => {
    const settings = getSettings(ctx)
    const hash = hashChallenge(challenge)
    const taken = await takeChallenge(ctx, { hash, memberId: caller.memberId })
    return taken && { challenge, rpId: taken.rp_id, origins: originsWithin(await settings, taken.rp_id) }
  })
  if (!expected) throw invalidPasskey()
  const verified = await verifyNewPasskey(credential, expected).catch((cause) => {
    throw invalidPasskey(cause)
  })
  const { rpId } = expected
  return request.write((ctx) => addPasskey(ctx, sendMail, caller, { ...verified, name, rpId }))
}

function readChallenge({ response }: NewCredential): string {
  try {
    return challengeIn(response.clientDataJSON)
  } catch (cause) {
    throw invalidPasskey(cause)
  }
}
