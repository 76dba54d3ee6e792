import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SendMail } from '#areas/mail/service.ts'
import { readMember } from '#areas/members/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { memberOf } from '#platform/http/caller.ts'
import { toId } from '#platform/ids.ts'
import { memberPasswordChanged } from '../events.ts'
import type { Identity } from '../identity.ts'
import { accept } from '../mail-links/email-login.ts'
import { passwordChanged } from '../mails.ts'
import { lockActiveMember, putPasswordHash } from '../member-queries.ts'
import { checkOwnPassword } from '../profile/own-proof.ts'
import { type Device, endSessions } from '../sessions/sessions.ts'
import { type SignIn, signIn } from '../sessions/sign-in.ts'
import type { VerifiedToken } from '../tokens/one-time-tokens.ts'
import { dropTokensOf } from '../tokens/queries.ts'

interface Change {
  readonly memberId: string
  readonly hash: string
  readonly by: 'change' | 'reset'
  /** The session that stays. */
  readonly but?: string
}

/**
 * Gives a member a new password, ends all other sessions and unfinished logins, and sends the member a mail about it.
 * @returns how many sessions were ended
 */
export async function putNewPassword(ctx: Context, sendMail: SendMail, change: Change): Promise<number> {
  const { memberId, hash, by, but } = change
  const { email: address, full_name: name } = await readMember(ctx, { id: memberId })
  putPasswordHash(ctx, { id: memberId, hash })
  dropTokensOf(ctx, { memberId, purpose: 'mfa' })
  emit(ctx, memberPasswordChanged, { id: toId('member', memberId), by })
  sendMail(ctx, passwordChanged, { to: { address, name }, values: {} })
  return (await endSessions(ctx, memberId, 'password', { but: but ?? null })).length
}

/**
 * Changes the password of the member that asks, and ends all other sessions.
 * @returns how many sessions were ended
 * @throws ApiError 401 INVALID_CREDENTIALS where the current one is wrong, or there is none; 422 for a common one; 429
 */
export async function changePassword(
  request: FastifyRequest,
  reply: FastifyReply,
  identity: Identity,
  input: { readonly current_password: string; readonly password: string },
): Promise<number> {
  const { memberId, sessionId, projectId } = memberOf(request)
  const prove = await checkOwnPassword({ request, reply }, identity, input.current_password)
  const hash = await identity.passwords.of(projectId).hash(input.password)
  return request.write(async (ctx) => {
    lockActiveMember(ctx, { id: memberId })
    await prove(ctx)
    return putNewPassword(ctx, identity.sendMail, { memberId, hash, by: 'change', but: sessionId })
  })
}

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
