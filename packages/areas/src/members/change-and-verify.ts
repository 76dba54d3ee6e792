import { requestVerification } from '#areas/auth/service.ts'
import type { Context } from '#platform/db/tenant.ts'
import type { MemberChanges, UpdatedMember } from './schema.ts'
import { changeMember } from './service.ts'

/**
 * Changes a member for an operator. A new address has to be confirmed where the project wants that: a mail goes there.
 * @throws ApiError as changeMember does
 */
export async function changeAndVerify(
  ctx: Context,
  id: string,
  changes: MemberChanges,
): Promise<UpdatedMember> {
  const member = await changeMember(ctx, id, changes)
  if (changes.email !== undefined) await requestVerification(ctx, member.email)
  return member
}
