import type { EventType } from '../events/emit.ts'
import type { DueWork } from '../jobs/schedules/due-work.ts'
import type { MailType } from '../mail/define-mail.ts'
import type { MemberMails } from './member-mails.ts'
import type { PaymentHandlers } from './payment-handler.ts'
import type { PersonalData } from './personal-data.ts'

/** What all areas declare, for those areas that work on what others declare. */
export interface Catalogue {
  readonly events: ReadonlyMap<string, EventType>
  readonly mails: ReadonlyMap<string, MailType>
  /** In the order in which it is erased. */
  readonly memberData: readonly PersonalData[]
  readonly memberMails: MemberMails
  /** What happens when money moves, by what it is for. */
  readonly paymentHandlers: PaymentHandlers
  /** What waits for a moment of a project's own clock. */
  readonly dueWork: readonly DueWork[]
}
