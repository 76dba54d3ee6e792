import type { Context } from '../db/tenant.ts'

/**
 * What mails a member for the area of members. The area of authentication provides it: that one builds on members, so
 * members cannot import it.
 */
export interface MemberMails {
  /** Invites a member who was just created. @param member with the public id */
  invite(
    ctx: Context,
    member: { readonly id: string; readonly email: string; readonly role: string },
  ): PromiseLike<unknown>
  /**
   * An operator has given a member an address: it is asked to be confirmed, where the project confirms addresses, and
   * invitations of another one end.
   */
  receiveAddress(ctx: Context, memberId: string, email: string): PromiseLike<unknown>
}
