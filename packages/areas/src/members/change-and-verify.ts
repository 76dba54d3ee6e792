import type { MemberMails } from '#platform/catalogue/member-mails.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { MemberChanges, UpdatedMember } from './schema.ts'
import { updateMember } from './service.ts'

/**
 * Changes a member for an operator. Where the project confirms addresses, a new address gets a mail that asks for a
 * confirmation.
 * @throws ApiError as updateMember does
 */
export function changeAndVerify(
  ctx: Context,
  id: string,
  changes: MemberChanges,
  mails: MemberMails,
): PromiseLike<UpdatedMember> {
  const member = updateMember(ctx, id, changes)
  return changes.email === undefined ? member : verify(ctx, id, member, mails)
}

async function verify(
  ctx: Context,
  id: string,
  changed: PromiseLike<UpdatedMember>,
  mails: MemberMails,
): Promise<UpdatedMember> {
  const member = await changed
  await mails.receiveAddress(ctx, id, member.email)
  return member
}
