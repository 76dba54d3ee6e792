import { randomBytes } from 'node:crypto'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { ProjectBox } from '#platform/secrets/project-box.ts'
import { MAX_FACTORS, mfaRequired, noFactors, tooManyFactors } from '../errors.ts'
import { memberMfaEnabled } from '../events.ts'
import { findAal, raiseSession } from '../sessions/queries.ts'
import type { Device } from '../sessions/sessions.ts'
import { type FirstStep, type SignIn, signIn, toFactorSummary } from '../sessions/sign-in.ts'
import { dropToken, tryMfaToken } from '../tokens/queries.ts'
import { hashToken } from '../tokens/refresh-token.ts'
import {
  discardBegunFactors,
  insertFactor,
  insertRecoveryCodes,
  listConfirmedFactors,
  lockFactors,
  removeRecoveryCodes,
  takeRecoveryCode,
  takeStep,
} from './queries.ts'
import type { ConfirmedFactor } from './schema.ts'
import { newTotpSecret, totpStep } from './totp.ts'

/**
 * Adds an authenticator app; it is active after its first right code.
 * @returns its row, and the secret, which is shown only now
 * @throws ApiError 403 MFA_REQUIRED where there is a second factor that this session has not shown
 */
export async function beginTotp(ctx: Context, box: ProjectBox, caller: Caller, name: string) {
  const factors = await lockFactors(ctx, caller)
  const confirmed = factors.filter(isConfirmed)
  if (confirmed.length > 0) await assertSecondFactor(ctx, caller)
  if (confirmed.length >= MAX_FACTORS) throw tooManyFactors()
  const id = newUuid()
  const secret = newTotpSecret()
  discardBegunFactors(ctx, caller)
  insertFactor(ctx, {
    id,
    member_id: caller.memberId,
    type: 'totp',
    name,
    secret: box.seal(secret, id, ctx.projectId),
  })
  return { factor: toFactorSummary('totp', { id, name }), secret }
}

/**
 * Confirms an authenticator app by a code of it, and counts as a second factor of this session.
 * @returns undefined where the code is wrong
 * @throws ApiError 422 where the member has no such factor
 */
export async function confirmTotp(
  ctx: Context,
  box: ProjectBox,
  caller: Caller,
  id: string,
  code: string,
): Promise<ConfirmedFactor | undefined> {
  const factors = await lockFactors(ctx, caller)
  const factor = factors.find((each) => each.id === id)
  if (!factor) throw unknownFactor()
  const step = totpStep(box.open(factor.secret, factor.id), code)
  if (step === undefined || !(await takeStep(ctx, { id: factor.id, step }))) return undefined
  raiseSession(ctx, { id: caller.sessionId, method: 'totp' })
  const summary = toFactorSummary('totp', factor)
  const confirmed_at = factor.confirmed_at ?? new Date().toISOString()
  if (isConfirmed(factor)) return { factor: { ...summary, confirmed_at }, recovery_codes: [] }
  emit(ctx, memberMfaEnabled, { id: toId('member', caller.memberId), factor: summary })
  const isFirst = !factors.some(isConfirmed)
  const recovery_codes = isFirst ? replaceRecoveryCodes(ctx, caller.memberId) : []
  return { factor: { ...summary, confirmed_at }, recovery_codes }
}

/**
 * Takes a code of any of a member's factors, or a recovery code, once.
 * @returns what `amr` says of it, or undefined where it is wrong
 */
export async function takeSecondFactor(
  ctx: Context,
  box: ProjectBox,
  memberId: string,
  code: string,
): Promise<'totp' | 'recovery_code' | undefined> {
  if (isRecoveryCode(code))
    return (await takeRecoveryCode(ctx, { memberId, hash: hashRecoveryCode(code) })) && 'recovery_code'
  for (const factor of await listConfirmedFactors(ctx, { memberId })) {
    const step = totpStep(box.open(factor.secret, factor.id), code)
    if (step !== undefined && (await takeStep(ctx, { id: factor.id, step }))) return 'totp'
  }
  return undefined
}

/** The same for another member's factor, and for an id of another kind. */
export const unknownFactor = () => invalidField('factor_id', 'exists', 'is not a factor of this member')

export const isConfirmed = (factor: { confirmed_at: string | null }) => factor.confirmed_at !== null

/**
 * Makes new recovery codes; the old ones are void.
 * @returns them, shown this once
 * @throws ApiError 403 MFA_REQUIRED where this session has not shown a second factor; 422 NO_FACTORS
 */
export async function renewRecoveryCodes(ctx: Context, caller: Caller): Promise<string[]> {
  const factors = await lockFactors(ctx, caller)
  if (!factors.some(isConfirmed)) throw noFactors()
  await assertSecondFactor(ctx, caller)
  return replaceRecoveryCodes(ctx, caller.memberId)
}

function replaceRecoveryCodes(ctx: Context, memberId: string): string[] {
  const codes = newRecoveryCodes()
  removeRecoveryCodes(ctx, { memberId })
  insertRecoveryCodes(ctx, {
    memberId,
    ids: codes.map(() => newUuid()),
    hashes: codes.map(hashRecoveryCode),
  })
  return codes
}

/** A member and the session that speaks for them. */
export interface Caller {
  readonly memberId: string
  readonly sessionId: string
}

/**
 * Reads the session itself, because an access token may be older than the second factor.
 * @throws ApiError 403 MFA_REQUIRED where the session has not shown one
 */
export async function assertSecondFactor(ctx: Context, { sessionId }: Caller): Promise<void> {
  if ((await findAal(ctx, { id: sessionId })) !== 'aal2') throw mfaRequired()
}

/**
 * Finishes a login with a second factor. A wrong code is counted, so the transaction must be committed in any case.
 * @returns `wrong` for a wrong code; undefined where the login has expired, or the member may not log in any more
 */
export async function takeSecondStep(
  ctx: Context,
  box: ProjectBox,
  token: string,
  code: string,
  device: Device,
): Promise<SignIn | 'wrong' | undefined> {
  const row = await tryMfaToken(ctx, { hash: hashToken(token) })
  if (!row?.member_id) return undefined
  const method = await takeSecondFactor(ctx, box, row.member_id, code)
  if (method === undefined) return 'wrong'
  dropToken(ctx, { id: row.id })
  const { amr, sso } = row.details as unknown as FirstStep
  return signIn(ctx, row.member_id, { amr: [...amr, method], device, aal: 'aal2', sso })
}

const RECOVERY_CODES = 10
/** Crockford's base32: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LENGTH = 16

/** Ten codes of 80 random bits each, like `8f3k-m2qp-0x7d-zt5w`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
    return letters.replace(/(.{4})(?=.)/g, '$1-')
  })

/** True for what could be a recovery code, rather than a code of an authenticator. */
export const isRecoveryCode = (code: string): boolean => plainCode(code).length === CODE_LENGTH

/** All that is stored of one. Dashes, spaces and case are the reader's own. */
export const hashRecoveryCode = (code: string): Buffer => hashToken(plainCode(code))

const plainCode = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '')
