import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { accept } from './come-in.ts'
import type { Device } from './device.ts'
import { memberPasswordChanged } from './events.ts'
import { putPasswordHash } from './member-queries.ts'
import type { Proven } from './one-time-tokens.ts'
import { endSessions } from './sessions.ts'
import { type SignIn, signIn } from './sign-in.ts'

/**
 * Sets a new password for whoever came by the mail for that, and logs them in. All older sessions end.
 * @returns undefined where there is no such member any more
 */
export async function resetPassword(
  ctx: Context,
  proven: Proven,
  hash: string,
  device: Device,
): Promise<SignIn | undefined> {
  const memberId = await accept(ctx, proven)
  if (memberId === undefined) return undefined
  putPasswordHash(ctx, memberId, hash)
  await endSessions(ctx, memberId, 'password')
  emit(ctx, memberPasswordChanged, { id: toId('member', memberId), by: 'reset' })
  return signIn(ctx, memberId, { amr: ['email'], device })
}
