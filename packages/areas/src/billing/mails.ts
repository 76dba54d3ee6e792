import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

const values = Type.Object({
  plan: Type.String({ description: 'The name of the plan' }),
  amount: Type.String({ description: 'The price of a period, with its currency' }),
  date: Type.String({ description: 'When the period ends' }),
})
const example = { plan: 'Supporter', amount: '9.50 EUR', date: '2026-12-21' }

export const paymentFailedMail = defineMail({
  name: 'subscription_payment_failed',
  description:
    'The renewal of a subscription could not be charged, or was not paid in time; sent to the member',
  values,
  texts: {
    subject: 'Your payment for {{plan}} did not go through',
    heading: 'Your payment did not go through',
    body: 'We could not charge {{amount}} for {{plan}}.\n\nYou keep your access for now. We will try again in the next days. Please check your payment method.',
  },
  example,
})

export const subscriptionCanceledMail = defineMail({
  name: 'subscription_canceled',
  description: 'A subscription has ended because it was not paid; sent to the member',
  values,
  texts: {
    subject: 'Your subscription to {{plan}} has ended',
    heading: 'Your subscription has ended',
    body: 'We could not charge {{amount}} for {{plan}}, so your subscription has ended.\n\nYou can subscribe again at any time.',
  },
  example,
})

export const trialEndingMail = defineMail({
  name: 'subscription_trial_ending',
  description: 'A trial ends in three days; sent to the member',
  values,
  texts: {
    subject: 'Your trial of {{plan}} ends soon',
    heading: 'Your trial ends soon',
    body: 'Your trial of {{plan}} ends on {{date}}. After that it costs {{amount}} for each period.',
  },
  example,
})
