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
  description: 'To a member: the renewal of a subscription could not be charged, or was not paid in time',
  values,
  texts: {
    subject: 'Your payment for {{plan}} did not go through',
    heading: 'Your payment did not go through',
    body: 'We could not take {{amount}} for {{plan}}.\n\nYour access stays for now, and we try again in the next days. Please see that your payment method is in order.',
  },
  example,
})

export const subscriptionCanceledMail = defineMail({
  name: 'subscription_canceled',
  description: 'To a member: a subscription has ended because it was not paid',
  values,
  texts: {
    subject: 'Your subscription to {{plan}} has ended',
    heading: 'Your subscription has ended',
    body: 'We could not take {{amount}} for {{plan}}, and your subscription has ended.\n\nYou can subscribe again at any time.',
  },
  example,
})

export const trialEndingMail = defineMail({
  name: 'subscription_trial_ending',
  description: 'To a member: a trial ends in three days',
  values,
  texts: {
    subject: 'Your trial of {{plan}} ends soon',
    heading: 'Your trial ends soon',
    body: 'Your trial of {{plan}} ends on {{date}}. From then on it costs {{amount}} for each period.',
  },
  example,
})
