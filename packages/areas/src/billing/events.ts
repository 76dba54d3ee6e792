import { defineEvent } from '#platform/events/emit.ts'
import { exampleOf } from '#platform/http/example.ts'
import { Bill, BillData } from './bills/schema.ts'
import { Subscription } from './subscriptions/schema.ts'

const subscription = {
  data: Subscription,
  example: exampleOf(Subscription),
  member: ({ member_id }: { member_id: string }) => member_id,
}
const bill = {
  data: BillData,
  example: exampleOf(BillData),
  member: ({ member_id }: { member_id: string }) => member_id,
}

export const subscriptionCreated = defineEvent({
  name: 'subscription.created',
  description: 'A member subscribed. Access starts with the trial, or when the first bill is paid',
  ...subscription,
})
export const subscriptionUpdated = defineEvent({
  name: 'subscription.updated',
  description: 'The state, plan or period of a subscription changed',
  ...subscription,
})
export const subscriptionCanceled = defineEvent({
  name: 'subscription.canceled',
  description: 'A subscription has ended; `cancel_reason` says why',
  ...subscription,
})
export const subscriptionRenewed = defineEvent({
  name: 'subscription.renewed',
  description: 'A new period of a subscription began. `bill.paid` tells when it is paid',
  ...subscription,
})
export const subscriptionPastDue = defineEvent({
  name: 'subscription.past_due',
  description: 'A bill of a subscription was not paid in time. Access stays until the subscription ends',
  ...subscription,
})
export const subscriptionPaused = defineEvent({
  name: 'subscription.paused',
  description: 'A subscription was paused: billing and access stop',
  ...subscription,
})
export const subscriptionResumed = defineEvent({
  name: 'subscription.resumed',
  description: 'A pause of a subscription has ended',
  ...subscription,
})
export const subscriptionTrialEnding = defineEvent({
  name: 'subscription.trial_ending',
  description: 'A trial ends in three days',
  ...subscription,
})
export const billCreated = defineEvent({
  name: 'bill.created',
  description: 'A bill was created; a bill of 0 is paid already',
  ...bill,
})
export const billPaid = defineEvent({ name: 'bill.paid', description: 'A bill was paid', ...bill })
export const billVoided = defineEvent({
  name: 'bill.voided',
  description: 'A bill was voided: nobody has to pay it',
  ...bill,
})
export const billDisputed = defineEvent({
  name: 'bill.disputed',
  description:
    'A payer disputed a bill: the payer asked the bank for the money back, or the bank has decided. `dispute` of the payment has the state. A lost dispute ends the subscription, unless `on_lost_dispute` of the project is `keep`',
  data: Bill,
  example: exampleOf(Bill),
  member: ({ member_id }: { member_id: string }) => member_id,
})
export const billUncollectible = defineEvent({
  name: 'bill.uncollectible',
  description: 'A bill was given up, and its subscription has ended unpaid',
  ...bill,
})
