import { Type } from 'typebox'
import { makeSendMail } from '#areas/mail/service.ts'
import { oneOf } from '#platform/http/envelope.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { renewalNoticeMail, trialEndingMail } from '../mails.ts'
import { findSubscriber } from './queries.ts'
import { amountText, dateText, priceText } from './words.ts'

/** Mails to subscribers about what lies ahead. */
const SUBSCRIBER_MAILS = ['trial_ending', 'renewal_notice'] as const
export type SubscriberMail = (typeof SUBSCRIBER_MAILS)[number]

/** Mails a subscriber what follows the present period. Members who were deleted get none. */
export const mailSubscriber = defineJob({
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
  attempts: 5,
  run: (run, { mail, member_id, plan_id, next_plan_id, next_plan_version, ends_at }) => {
    const sendMail = makeSendMail(run.deps.config)
    return run.record(async (ctx) => {
      const found = await findSubscriber(ctx, {
        member: member_id,
        plan: plan_id,
        next: next_plan_id,
        version: next_plan_version,
      })
      if (found === undefined) return
      const { email: address, full_name: name, plan, next_plan, timezone, billing_url } = found
      const to = { address, name }
      const amount = amountText(found.price_minor, found.currency)
      const price = priceText(found)
      const date = dateText(ends_at, timezone)
      const link = billing_url === null ? {} : { link: billing_url }
      if (mail === 'trial_ending')
        sendMail(ctx, trialEndingMail, { to, values: { plan, next_plan, amount, price, date, ...link } })
      else sendMail(ctx, renewalNoticeMail, { to, values: { plan: next_plan, amount, price, date, ...link } })
    })
  },
})
