import type { Context } from '#platform/db/tenant.ts'
import { emitEach } from '#platform/events/emit.ts'
import { invitationRevoked } from '../events.ts'
import { emailKey } from '../member-queries.ts'
import { revokeInvitationsOf } from './queries.ts'

/**
 * Ends invitations of a member who no longer needs one, or whose address has changed.
 * @param but the address whose invitations stay valid
 */
export async function endInvitations(ctx: Context, memberId: string, but?: string): Promise<void> {
  const ended = await revokeInvitationsOf(ctx, { memberId, but: but === undefined ? null : emailKey(but) })
  emitEach(ctx, invitationRevoked, ended)
}
