import { Type } from 'typebox'
import { makeSendMail } from '#areas/mail/service.ts'
import { oneOf } from '#platform/http/envelope.ts'
import { defineJob } from '#platform/jobs/define-job.ts'
import { fromMinor } from '#platform/values/money.ts'
import { paymentFailedMail, subscriptionCanceledMail, trialEndingMail } from '../mails.ts'
import { getSubscription } from './load-queries.ts'

const MAILS = {
  payment_failed: paymentFailedMail,
  subscription_canceled: subscriptionCanceledMail,
  trial_ending: trialEndingMail,
} as const

/** Tells a member of something that happened to the subscription. One without an address any more is told nothing. */
export const sendSubscriptionMail = defineJob({
  name: 'billing.send-mail',
  lane: 'mail',
  payload: Type.Object({
    subscription_id: Type.String(),
    mail: oneOf(['payment_failed', 'subscription_canceled', 'trial_ending']),
  }),
  attempts: 5,
  run: async (run, { subscription_id, mail }) => {
    const sendMail = makeSendMail(run.deps.config)
    await run.record(async (ctx) => {
      const { email, full_name, member_gone, plan, period_end } = await getSubscription(ctx, subscription_id)
      if (email === null || member_gone) return
      const values = {
        plan: plan.name,
        amount: `${fromMinor(plan.priceMinor, plan.currency)} ${plan.currency.toUpperCase()}`,
        date: period_end.slice(0, 10),
      }
      sendMail(ctx, MAILS[mail], { to: { address: email, name: full_name ?? '' }, values })
    })
  },
})
