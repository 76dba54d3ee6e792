import type { SendMail } from '#areas/mail/service.ts'
import { readMember } from '#areas/members/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { memberPasswordChanged } from '../events.ts'
import { passwordChanged } from '../mails.ts'
import { putPasswordHash } from '../member-queries.ts'
import { endSessions } from '../sessions/sessions.ts'
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
  return endSessions(ctx, memberId, 'password', { but: but ?? null })
}
