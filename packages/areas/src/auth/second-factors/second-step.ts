import type { Context } from '#platform/db/tenant.ts'
import type { SecretBox } from '#platform/secrets/secret-box.ts'
import type { Device } from '../sessions/device.ts'
import { type FirstStep, type SignIn, signIn } from '../sessions/sign-in.ts'
import { dropToken, tryMfaToken } from '../tokens/queries.ts'
import { hashToken } from '../tokens/refresh-token.ts'
import { takeSecondFactor } from './mfa.ts'

/**
 * Finishes a login with a second factor. A wrong code is counted, so the transaction must be committed in any case.
 * @returns `wrong` for a wrong code; undefined where the login has expired, or the member may not log in any more
 */
export async function takeSecondStep(
  ctx: Context,
  box: SecretBox,
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
