import type { EventType } from '../events/emit.ts'
import type { DueWork } from '../jobs/schedules/due-work.ts'
import type { MailType } from '../mail/define-mail.ts'
import type { MemberMails } from './member-mails.ts'
import type { PaymentHandlers } from './payment-handler.ts'
import type { PersonalData } from './personal-data.ts'

/**
 * The declarations of all areas, for areas that use them: webhooks need events, mail needs mails, members need member
 * data.
 */
export interface Catalogue {
  readonly events: ReadonlyMap<string, EventType>
  readonly mails: ReadonlyMap<string, MailType>
  /** In the order of erasure. */
  readonly memberData: readonly PersonalData[]
  readonly memberMails: MemberMails
  /** What happens when money moves, by the purpose of the payment. */
  readonly paymentHandlers: PaymentHandlers
  /** Work that is due at a time of the clock of a project. */
  readonly dueWork: readonly DueWork[]
}
