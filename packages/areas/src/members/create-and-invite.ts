import type { MemberMails } from '#platform/catalogue/member-mails.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import type { CreatedMember } from './schema.ts'
import { createMember, type PreparedMember } from './service.ts'

/**
 * Creates a member and sends an invitation. A pending member becomes active by accepting it.
 * @throws ApiError as createMember does; 422 for a member with a password, who needs no invitation to log in
 */
export async function createAndInvite(
  ctx: Context,
  { row, passwordHash }: PreparedMember,
  mails: MemberMails,
): Promise<CreatedMember> {
  if (passwordHash !== undefined)
    throw invalidField('send_invitation', 'password', 'cannot be given with a password')
  const invited = row.status === 'pending' ? { ...row, pending_reason: 'invitation' as const } : row
  const member = await createMember(ctx, { row: invited, passwordHash })
  await mails.invite(ctx, member)
  return member
}
