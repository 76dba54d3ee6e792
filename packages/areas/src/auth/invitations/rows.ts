import { toId } from '#platform/ids.ts'
import { invitationId } from '../ids.ts'
import type { Invitation } from './schema.ts'

interface InvitationRow extends Invitation {
  readonly redirect_url: string | null
}

/** An invitation as the API shows it. Who sent it knows where it leads. */
export const toInvitation = ({ redirect_url: _, ...row }: InvitationRow): Invitation => ({
  ...row,
  id: toId(invitationId, row.id),
  plan_id: row.plan_id === null ? null : toId('plan', row.plan_id),
  member_id: row.member_id === null ? null : toId('member', row.member_id),
})
