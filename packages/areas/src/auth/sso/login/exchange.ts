import type { Context } from '#platform/db/tenant.ts'
import type { Device } from '../../sessions/sessions.ts'
import { type SignIn, signIn } from '../../sessions/sign-in.ts'
import { isChallengeOf } from '../../tokens/code-challenge.ts'
import { hashToken } from '../../tokens/refresh-token.ts'
import { takeCode } from './queries.ts'

/**
 * Logs a member in by the code with which the browser came back. The code is used up in every case, so the transaction
 * must be committed.
 * @param verifier what the site has kept since the start of the login
 * @returns undefined if the code is invalid, or if the member may not log in
 */
export async function exchangeCode(
  ctx: Context,
  code: string,
  verifier: string,
  device: Device,
): Promise<SignIn | undefined> {
  const taken = await takeCode(ctx, { hash: hashToken(code) })
  if (!taken || !isChallengeOf(taken.code_challenge, verifier)) return undefined
  const { member_id, connection_id: connectionId, amr, identity_id: unproven } = taken
  const authenticatedAt = taken.authenticated_at
  const aal = amr.includes('mfa') ? 'aal2' : 'aal1'
  return signIn(ctx, member_id, { amr, aal, device, sso: { connectionId, unproven, authenticatedAt } })
}
