import type { Context } from '../db/tenant.ts'

/**
 * The mails that the area of members sends. The area of authentication provides them, because it imports members, so
 * members cannot import it.
 */
export interface MemberMails {
  /** Invites a member who was just created. @param member with the public id */
  invite(
    ctx: Context,
    member: { readonly id: string; readonly email: string; readonly role: string },
  ): PromiseLike<unknown>
  /**
   * Handles a new address that an operator has set: the address must be confirmed, if the project confirms addresses,
   * and invitations to other addresses end.
   */
  receiveAddress(ctx: Context, memberId: string, email: string): PromiseLike<unknown>
}
