import { randomBytes } from 'node:crypto'
import type { SendMail } from '#areas/mail/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import { invalidPasskey, MAX_FACTORS, tooManyFactors } from '../errors.ts'
import { memberPasskeyAdded, memberPasskeyRemoved } from '../events.ts'
import { passkeyAdded } from '../mails.ts'
import { lockActiveMember } from '../member-queries.ts'
import { assertSecondFactor, type Caller, isConfirmed } from '../second-factors/mfa.ts'
import { lockFactors } from '../second-factors/queries.ts'
import type { Factor } from '../second-factors/schema.ts'
import { raiseSession } from '../sessions/queries.ts'
import { toFactorSummary } from '../sessions/sign-in.ts'
import { hashToken } from '../tokens/refresh-token.ts'
import { deletePasskey, insertChallenge, insertPasskey, listPasskeys } from './queries.ts'
import type { VerifiedPasskey } from './webauthn.ts'

const CHALLENGE_BYTES = 32

/** Makes a challenge for an authenticator to sign. @param memberId who wants a passkey; null for a login */
export function issueChallenge(ctx: Context, rpId: string, memberId: string | null): Uint8Array<ArrayBuffer> {
  const challenge = new Uint8Array(randomBytes(CHALLENGE_BYTES))
  insertChallenge(ctx, { id: newUuid(), hash: hashChallenge(challenge), rp_id: rpId, member_id: memberId })
  return challenge
}

/** All that is stored of a challenge. */
export const hashChallenge = (challenge: Uint8Array | string): Buffer =>
  hashToken(typeof challenge === 'string' ? challenge : Buffer.from(challenge).toString('base64url'))

/**
 * The passkeys of a member who may have one more.
 * @throws ApiError 403 MFA_REQUIRED where there is a second factor that this session has not shown; 422
 * TOO_MANY_FACTORS
 */
export async function assertRoom(ctx: Context, caller: Caller) {
  const factors = await lockFactors(ctx, caller)
  if (factors.some(isConfirmed)) await assertSecondFactor(ctx, caller)
  const passkeys = await listPasskeys(ctx, caller)
  if (passkeys.length >= MAX_FACTORS) throw tooManyFactors()
  return passkeys
}

interface Addition extends VerifiedPasskey {
  readonly name: string
  readonly rpId: string
}

/**
 * Adds a passkey to a member. The session has shown it, which counts as a second factor if the authenticator verified
 * the user.
 * @throws ApiError 403 MFA_REQUIRED; 422 TOO_MANY_FACTORS, or INVALID_PASSKEY for one that is known already
 */
export async function addPasskey(
  ctx: Context,
  sendMail: SendMail,
  caller: Caller,
  { name, rpId, credential, isUserVerified }: Addition,
): Promise<Factor> {
  const { memberId, sessionId } = caller
  // The rows are locked, so that two passkeys that are added at the same time are both counted.
  const member = await lockActiveMember(ctx, { id: memberId })
  if (!member) throw invalidPasskey()
  await assertRoom(ctx, caller)
  const id = newUuid()
  insertPasskey(ctx, {
    id,
    member_id: memberId,
    credential_id: Buffer.from(credential.id, 'base64url'),
    rp_id: rpId,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
    name,
  })
  if (isUserVerified) raiseSession(ctx, { id: sessionId, method: 'passkey' })
  const factor = toFactorSummary('passkey', { id, name })
  emit(ctx, memberPasskeyAdded, { id: toId('member', memberId), factor })
  sendMail(ctx, passkeyAdded, { to: { address: member.email }, values: { passkey: name } })
  return { ...factor, created_at: new Date().toISOString(), last_used_at: null }
}

/** @throws ApiError 404 */
export async function removePasskey(ctx: Context, memberId: string, id: string): Promise<void> {
  const factor = toFactorSummary('passkey', await deletePasskey(ctx, { id, memberId }))
  emit(ctx, memberPasskeyRemoved, { id: toId('member', memberId), factor })
}
