import type { Context } from '#platform/db/tenant.ts'
import { mfaRequired } from '../errors.ts'
import { findAal } from '../sessions/queries.ts'

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
