import type { Context } from '#platform/db/tenant.ts'
import type { Identity } from '../identity.ts'
import { accept } from '../mail-links/email-login.ts'
import type { Device } from '../sessions/device.ts'
import { type SignIn, signIn } from '../sessions/sign-in.ts'
import type { VerifiedToken } from '../tokens/one-time-tokens.ts'
import { putNewPassword } from './new-password.ts'

/**
 * Sets a new password for the person who followed a reset mail, and logs them in. All older sessions end.
 * @returns undefined where the member does not exist any more
 */
export async function resetPassword(
  ctx: Context,
  { sendMail }: Identity,
  proven: VerifiedToken,
  hash: string,
  device: Device,
): Promise<SignIn | undefined> {
  const memberId = await accept(ctx, sendMail, proven)
  if (memberId === undefined) return undefined
  await putNewPassword(ctx, sendMail, { memberId, hash, by: 'reset' })
  return signIn(ctx, memberId, { amr: ['email'], device })
}
