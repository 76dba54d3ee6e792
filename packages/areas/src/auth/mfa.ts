import type { Context } from '#platform/db/tenant.ts'
import { ApiError, invalidField, notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { SecretBox } from '#platform/secret-box.ts'
import { memberMfaDisabled, memberMfaEnabled } from './events.ts'
import {
  deleteFactor,
  deleteRecoveryCodes,
  discardBegunFactors,
  holdFactors,
  insertFactor,
  insertRecoveryCodes,
  listConfirmedFactors,
  takeRecoveryCode,
  takeStep,
} from './mfa-queries.ts'
import type { ConfirmedFactor } from './mfa-schema.ts'
import { hashRecoveryCode, isRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import { findAal, raiseSession } from './session-queries.ts'
import { toFactorSummary } from './sign-in.ts'
import { newTotpSecret, totpStep } from './totp.ts'

/** A member and the session that speaks for them. */
export interface Caller {
  readonly memberId: string
  readonly sessionId: string
}

/** Factors at the most; more are no help. */
const MAX_FACTORS = 10

/**
 * Begins an authenticator app; it counts from its first right code on.
 * @returns its row, and the secret, shown this once
 * @throws ApiError 403 MFA_REQUIRED where there is a second factor that this session has not shown
 */
export async function beginTotp(ctx: Context, box: SecretBox, caller: Caller, name: string) {
  const factors = await holdFactors(ctx, caller.memberId)
  const confirmed = factors.filter(isConfirmed)
  if (confirmed.length > 0) await assertSecondFactor(ctx, caller)
  if (confirmed.length >= MAX_FACTORS)
    throw new ApiError(422, 'TOO_MANY_FACTORS', `${MAX_FACTORS} second factors are enough; remove one first`)
  const id = newUuid()
  const secret = newTotpSecret()
  discardBegunFactors(ctx, caller.memberId)
  insertFactor(ctx, { id, member_id: caller.memberId, type: 'totp', name, secret: box.seal(secret, id) })
  return { factor: toFactorSummary({ id, type: 'totp', name }), secret }
}

/**
 * Confirms an authenticator app by a code of it, and counts as a second factor of this session.
 * @returns undefined where the code is wrong
 * @throws ApiError 422 where the member has no such factor
 */
export async function confirmTotp(
  ctx: Context,
  box: SecretBox,
  caller: Caller,
  id: string,
  code: string,
): Promise<ConfirmedFactor | undefined> {
  const factors = await holdFactors(ctx, caller.memberId)
  const factor = factors.find((each) => each.id === id)
  if (!factor) throw unknownFactor()
  const step = totpStep(box.open(factor.secret, factor.id), code)
  if (step === undefined || !(await takeStep(ctx, factor.id, step))) return undefined
  raiseSession(ctx, caller.sessionId, 'totp')
  const summary = toFactorSummary(factor)
  const confirmed_at = factor.confirmed_at ?? new Date().toISOString()
  if (isConfirmed(factor)) return { factor: { ...summary, confirmed_at }, recovery_codes: [] }
  emit(ctx, memberMfaEnabled, { id: toId('member', caller.memberId), factor: summary })
  const isFirst = !factors.some(isConfirmed)
  const recovery_codes = isFirst ? replaceRecoveryCodes(ctx, caller.memberId) : []
  return { factor: { ...summary, confirmed_at }, recovery_codes }
}

/**
 * Removes a second factor. With the last one the recovery codes go.
 * @throws ApiError 404; 403 MFA_REQUIRED where this session has not shown one
 */
export async function removeFactor(ctx: Context, caller: Caller, id: string): Promise<void> {
  const factors = await holdFactors(ctx, caller.memberId)
  const factor = factors.find((each) => each.id === id)
  if (!factor) throw notFound('Factor')
  if (isConfirmed(factor)) await assertSecondFactor(ctx, caller)
  deleteFactor(ctx, id, caller.memberId)
  const others = factors.filter((each) => each.id !== id && isConfirmed(each))
  if (!isConfirmed(factor) || others.length > 0) return
  deleteRecoveryCodes(ctx, caller.memberId)
  emit(ctx, memberMfaDisabled, { id: toId('member', caller.memberId) })
}

/**
 * Takes a code of any of a member's factors, or a recovery code, once.
 * @returns what `amr` says of it, or undefined where it is wrong
 */
export async function takeSecondFactor(
  ctx: Context,
  box: SecretBox,
  memberId: string,
  code: string,
): Promise<'totp' | 'recovery_code' | undefined> {
  if (isRecoveryCode(code))
    return (await takeRecoveryCode(ctx, memberId, hashRecoveryCode(code))) && 'recovery_code'
  for (const factor of await listConfirmedFactors(ctx, memberId)) {
    const step = totpStep(box.open(factor.secret, factor.id), code)
    if (step !== undefined && (await takeStep(ctx, factor.id, step))) return 'totp'
  }
  return undefined
}

/** The same for another member's factor, and for an id of another kind. */
export const unknownFactor = () => invalidField('factor_id', 'exists', 'is not a factor of this member')

const isConfirmed = (factor: { confirmed_at: string | null }) => factor.confirmed_at !== null

/** Asks the session itself: a token that was made before the second factor was shown says less. */
async function assertSecondFactor(ctx: Context, { sessionId }: Caller): Promise<void> {
  const session = await findAal(ctx, sessionId)
  if (session?.aal !== 'aal2')
    throw new ApiError(403, 'MFA_REQUIRED', 'Show a second factor first: log in again, or confirm a code')
}

function replaceRecoveryCodes(ctx: Context, memberId: string): string[] {
  const codes = newRecoveryCodes()
  deleteRecoveryCodes(ctx, memberId)
  insertRecoveryCodes(ctx, {
    memberId,
    ids: codes.map(() => newUuid()),
    hashes: codes.map(hashRecoveryCode),
  })
  return codes
}
