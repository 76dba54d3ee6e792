import type { SendMail } from '#areas/mail/service.ts'
import { readMember } from '#areas/members/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context, ProjectData } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { memberMfaDisabled } from '../events.ts'
import { factorsReset } from '../mails.ts'
import { removePasskey } from '../passkeys/passkeys.ts'
import { listPasskeys } from '../passkeys/queries.ts'
import { endSessions } from '../sessions/sessions.ts'
import { toFactorSummary } from '../sessions/sign-in.ts'
import { assertSecondFactor, type Caller, isConfirmed } from './mfa.ts'
import {
  listConfirmedFactors,
  lockFactors,
  removeFactor,
  removeFactorsOf,
  removeRecoveryCodes,
} from './queries.ts'
import type { Factor } from './schema.ts'

/**
 * Removes a second factor, or a passkey. With the last second factor the recovery codes go.
 * @throws ApiError 404; 403 MFA_REQUIRED where there is a second factor that this session has not shown
 */
export async function deleteFactor(ctx: Context, caller: Caller, id: string): Promise<void> {
  const factors = await lockFactors(ctx, caller)
  const factor = factors.find((each) => each.id === id)
  const confirmed = factors.filter(isConfirmed)
  // A factor that was never confirmed protects nothing.
  const isProtected = factor ? isConfirmed(factor) : confirmed.length > 0
  if (isProtected) await assertSecondFactor(ctx, caller)
  if (!factor) return removePasskey(ctx, caller.memberId, id)
  removeFactor(ctx, { id, memberId: caller.memberId })
  if (confirmed.some((each) => each.id !== id) || !isConfirmed(factor)) return
  removeRecoveryCodes(ctx, caller)
  emit(ctx, memberMfaDisabled, { id: toId('member', caller.memberId) })
}

/**
 * Removes all second factors and passkeys of a member who has lost them, on an operator's request. The sessions end,
 * and the member gets a mail about it.
 * @returns how many second factors and passkeys there were
 * @throws ApiError 404
 */
export async function resetFactors(ctx: Context, sendMail: SendMail, memberId: string): Promise<number> {
  const { email: address, full_name: name } = await readMember(ctx, { id: memberId })
  const removed = await removeFactors(ctx, memberId)
  audit(ctx, { action: 'member.reset_factors', target: toId('member', memberId), after: { removed } })
  if (removed === 0) return 0
  await endSessions(ctx, memberId, 'revoked')
  sendMail(ctx, factorsReset, { to: { address, name }, values: {} })
  return removed
}

/** Removes all second factors, begun ones too, and passkeys. @returns how many there were that counted */
export async function removeFactors(ctx: Context, memberId: string): Promise<number> {
  const factors = lockFactors(ctx, { memberId })
  const passkeys = await listPasskeys(ctx, { memberId })
  removeFactorsOf(ctx, { memberId })
  removeRecoveryCodes(ctx, { memberId })
  for (const { id } of passkeys) await removePasskey(ctx, memberId, id)
  const counted = (await factors).filter(isConfirmed).length
  if (counted > 0) emit(ctx, memberMfaDisabled, { id: toId('member', memberId) })
  return counted + passkeys.length
}

/** Everything besides a password that a member can show: authenticator apps that are confirmed, then passkeys. */
export async function listFactors(data: Pick<ProjectData, 'read'>, memberId: string): Promise<Factor[]> {
  const { factors, passkeys } = await data.read({
    factors: listConfirmedFactors({ memberId }),
    passkeys: listPasskeys({ memberId }),
  })
  const toFactor = (type: Factor['type']) => (row: (typeof factors | typeof passkeys)[number]) => ({
    ...toFactorSummary(type, row),
    created_at: row.created_at,
    last_used_at: row.last_used_at,
  })
  return [...factors.map(toFactor('totp')), ...passkeys.map(toFactor('passkey'))]
}
