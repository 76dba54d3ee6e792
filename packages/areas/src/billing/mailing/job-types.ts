import { Type } from 'typebox'
import { nullable, oneOf } from '#platform/http/envelope.ts'

/** What payers are told about a bill. */
export const BILL_MAILS = ['payment_failed', 'due', 'overdue', 'reduced', 'ended', 'receipt'] as const
export type BillMail = (typeof BILL_MAILS)[number]

/** What of a bill may change until the mail is made is handed over: a mail says what was so when it was asked for. */
export const mailPayer = {
  name: 'billing.mail-payer',
  lane: 'mail',
  payload: Type.Object({
    mail: oneOf(BILL_MAILS),
    bill_id: Type.String(),
    total_minor: Type.Integer(),
    due_at: Type.String(),
    /** When it is tried again, or when the subscription ends. */
    then_at: nullable(Type.String()),
  }),
} as const

/** What subscribers are told about what lies ahead. */
export const SUBSCRIBER_MAILS = ['trial_ending', 'renewal_notice'] as const

export const mailSubscriber = {
  name: 'billing.mail-subscriber',
  lane: 'mail',
  payload: Type.Object({
    mail: oneOf(SUBSCRIBER_MAILS),
    member_id: Type.String(),
    plan_id: Type.String(),
    /** Of the period that follows. */
    next_plan_id: Type.String(),
    next_plan_version: Type.Integer(),
    ends_at: Type.String(),
  }),
} as const
