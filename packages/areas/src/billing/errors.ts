import { defineError } from '#platform/define-error.ts'
import { fromMinor } from '#platform/values/money.ts'

export const subscriptionIsCanceled = defineError({
  code: 'SUBSCRIPTION_CANCELED',
  message: 'The subscription has ended: create a new subscription',
})
export const subscriptionIsIncomplete = defineError({
  code: 'SUBSCRIPTION_INCOMPLETE',
  message: 'The first bill of the subscription is not paid: pay it first',
})
export const subscriptionIsPaused = defineError({
  code: 'SUBSCRIPTION_PAUSED',
  message: 'The subscription is paused: resume it first',
})
export const subscriptionIsPastDue = defineError({
  code: 'SUBSCRIPTION_PAST_DUE',
  message: 'A bill of the subscription is overdue: pay it first',
})
export const subscriptionIsNotActive = defineError({
  code: 'SUBSCRIPTION_NOT_ACTIVE',
  message: 'Only an active subscription can be paused',
  cure: 'Read `status` of the subscription, and offer the pause only while it is `active`.',
})
export const nothingToResume = defineError({
  code: 'NOTHING_TO_RESUME',
  message:
    'The subscription continues already: only a subscription that is paused or that will end can be resumed',
  cure: 'Nothing needs to be done: show the subscription as it is.',
})
export const billOpen = defineError({
  code: 'BILL_OPEN',
  message: 'A bill of the subscription is open: pay it or void it first',
})
export const memberDeleted = defineError({
  code: 'MEMBER_DELETED',
  message: 'The member is deleted: restore the member first',
})
export const samePlan = defineError({
  code: 'SAME_PLAN',
  message: 'The subscription already has this plan at this price: choose another plan',
})
export const periodEndOnly = defineError({
  code: 'PERIOD_END_ONLY',
  message:
    'A change to another currency or interval takes effect at the end of the period: send `when: period_end`',
})

export const planNotRecurring = defineError({
  code: 'PLAN_NOT_RECURRING',
  message: 'Members can subscribe only to plans that are paid by month or year: choose such a plan',
})
export const previewExpired = defineError({
  code: 'PREVIEW_EXPIRED',
  message: 'The preview is no longer valid: create a new one',
})
export const alreadySubscribed = defineError({
  code: 'ALREADY_SUBSCRIBED',
  message: 'The member has a subscription already: change that subscription',
})
/** One trial per member and plan. */
export const trialUsed = defineError({
  code: 'TRIAL_USED',
  message: 'The plan has no trial, or the member has used it already: subscribe without a trial',
})
export const billNotOpen = defineError({
  code: 'BILL_NOT_OPEN',
  message: 'The bill is paid, void or uncollectible: only an open bill can be changed',
  cure: 'Read `status` of the bill. A paid bill can be refunded; the others stay as they are.',
})
export const amountTooSmall = defineError({
  code: 'AMOUNT_TOO_SMALL',
  message:
    'The total is smaller than the smallest amount of the payment provider in this currency: choose a larger total',
})
/** What a total must be at least. @param minimum of the provider, in the currency's smallest unit */
export const leastTotal = (minimum: number, currency: string): string =>
  `The total must be at least ${fromMinor(minimum, currency)} ${currency}: the payment provider cannot charge less`
export const creditInsufficient = defineError({
  code: 'CREDIT_INSUFFICIENT',
  message: 'The credit of the member in this currency is smaller than this amount: send a smaller amount',
})
export const billNotPaid = defineError({
  code: 'BILL_NOT_PAID',
  message: 'Only a bill that is paid can be refunded: void an open bill instead',
})
export const accountInUse = defineError({
  code: 'ACCOUNT_IN_USE',
  message: 'Subscriptions use this account: end them first',
})
export const otherStripeAccount = defineError({
  code: 'OTHER_STRIPE_ACCOUNT',
  message:
    'The secret key belongs to another Stripe account. That account does not know the payments and cards of this payment account: create a new payment account for the key',
})
export const invalidSignature = defineError({
  code: 'INVALID_SIGNATURE',
  message:
    'The signature is wrong, or it is older than five minutes: check the `webhook_secret` of the payment account',
})
export const webhookSecretMissing = defineError({
  code: 'WEBHOOK_SECRET_MISSING',
  message:
    'The payment account has no `webhook_secret` to check messages with: set it with PATCH /payment-accounts/{id}',
})
export const accountKeyRefused = defineError({
  code: 'PAYMENT_ACCOUNT_REFUSED',
  message:
    'Nothing was charged. The payment provider does not accept the secret key of the payment account: the operator of the site must set the right key',
})
export const paidByHand = defineError({
  code: 'PAID_BY_HAND',
  message: 'This payment account takes money by hand: it cannot save a card',
})
export const refundTooLarge = defineError({
  code: 'REFUND_EXCEEDS_PAID',
  message:
    'The refund is larger than the amount of the payment that can still be refunded: send a smaller amount',
})
