import type { Context } from '#platform/db/tenant.ts'
import type { MemberMails } from '#platform/member-mails.ts'
import type { CreatedMember } from './schema.ts'
import { createMember, type PreparedMember } from './service.ts'

/** Creates a member and sends the mail that invites them. @throws ApiError as createMember does */
export async function createAndInvite(
  ctx: Context,
  prepared: PreparedMember,
  mails: MemberMails,
): Promise<CreatedMember> {
  const member = await createMember(ctx, prepared)
  await mails.invite(ctx, member)
  return member
}
