import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { invitationRevoked } from '../events.ts'
import { emailKey } from '../member-queries.ts'
import { revokeInvitationRowsOf } from './queries.ts'
import { toInvitation } from './rows.ts'

/**
 * Ends invitations of a member who no longer needs one, or whose address has changed.
 * @param but the address whose invitations stay valid
 */
export async function endInvitations(ctx: Context, memberId: string, but?: string): Promise<void> {
  const ended = await revokeInvitationRowsOf(ctx, memberId, but === undefined ? null : emailKey(but))
  for (const row of ended) emit(ctx, invitationRevoked, toInvitation(row))
}
