import type { Context } from '../db/tenant.ts'
import type { EventType } from '../events/emit.ts'
import type { DueWork } from '../jobs/schedules/due-work.ts'
import type { Permission } from '../keys/permissions.ts'
import type { MailType } from '../mail/define-mail.ts'
import type { SearchSource } from '../search/source.ts'
import type { ModeratedKind } from './moderated.ts'
import type { PaymentHandlers } from './payment-handler.ts'
import type { PersonalData } from './personal-data.ts'
import type { TopicGroup } from './topic.ts'

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
   * Sends the open invitation of a member again, or a first one. @param memberId the stored id
   * @throws ApiError 404; 422 for a member who has logged in or has a password
   */
  inviteAgain(ctx: Context, memberId: string): PromiseLike<unknown>
  /**
   * Handles a new address that an operator has set: the address must be confirmed, if the project confirms addresses,
   * and invitations to other addresses end.
   */
  receiveAddress(ctx: Context, memberId: string, email: string): PromiseLike<unknown>
}

/**
 * The declarations of all areas, for areas that use them: webhooks need events, mail needs mails, members need member
 * data.
 */
export interface Catalogue {
  readonly events: ReadonlyMap<string, EventType>
  readonly mails: ReadonlyMap<string, MailType>
  /** All permissions of secret keys. */
  readonly permissions: readonly Permission[]
  /** In the order of erasure. */
  readonly memberData: readonly PersonalData[]
  readonly memberMails: MemberMails
  /** What happens when money moves, by the purpose of the payment. */
  readonly paymentHandlers: PaymentHandlers
  /** What can be found by the one search, kind by kind. */
  readonly searchSources: readonly SearchSource[]
  /** Work that is due at a time of the clock of a project. */
  readonly dueWork: readonly DueWork[]
  /** Posts that are reported, held and decided about. */
  readonly moderated: readonly ModeratedKind[]
  /** What streams can be opened for. */
  readonly topics: readonly TopicGroup[]
}
