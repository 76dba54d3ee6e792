import { Type } from 'typebox'
import { defineMail } from '#platform/mail/define-mail.ts'

const Plan = Type.String({ description: 'The name of the plan' })
const BillNumber = Type.String({ description: 'The number of the bill' })
const Total = Type.String({ description: 'The total of the bill' })
const Lines = Type.String({
  description: 'The lines of the bill, one in each line; empty if the bill has changed since',
})
const Instructions = Type.String({
  description: 'The `instructions` of the payment account: how to pay; may be empty',
})
const Price = Type.String({ description: 'The price with its period, like `€9.50 a month`' })
const Link = Type.Optional(
  Type.String({
    description:
      'The page where members pay, with the parameter `bill_id`, if the project has set it (`billing_url`)',
  }),
)
const Page = Type.Optional(
  Type.String({ description: 'The page where members pay, if the project has set it (`billing_url`)' }),
)

const example = {
  plan: 'Supporter',
  number: '12',
  lines: 'Supporter, December 21, 2026 – January 21, 2027: €9.50',
  total: '€9.50',
  price: '€9.50 a month',
  date: 'December 21, 2026',
  instructions: 'Account DE02 1203 0000 0000 2020 51, reference: the number of the bill',
  page: 'https://example.com/account',
  link: 'https://example.com/account?bill_id=bill_01jcq3k8f7e8qtk4m3hbw7rn2m',
}
const { plan, number, lines, total, price, date, instructions, page, link } = example

export const paymentFailedMail = defineMail({
  name: 'subscription_payment_failed',
  description: 'A renewal could not be charged, and will be tried again; sent to the member',
  values: Type.Object({
    plan: Plan,
    number: BillNumber,
    amount: Total,
    date: Type.String({ description: 'When the bill was due' }),
    retry_date: Type.String({ description: 'When it is tried again' }),
    link: Link,
  }),
  texts: {
    subject: 'Your payment for {{plan}} did not go through',
    heading: 'Your payment did not go through',
    body: 'We could not charge {{amount}} for {{plan}} (bill {{number}}).\n\nYou keep your access for now. We will try again on {{retry_date}}. Please check your payment method.',
    action: 'Pay now',
  },
  example: { plan, number, amount: total, date, retry_date: 'December 22, 2026', link },
})

export const billDueMail = defineMail({
  name: 'subscription_bill_due',
  description: 'Sent to the member when a bill is due that the member pays by hand',
  values: Type.Object({
    plan: Plan,
    number: BillNumber,
    lines: Lines,
    total: Total,
    date: Type.String({ description: 'When the bill is due' }),
    instructions: Instructions,
    link: Link,
  }),
  texts: {
    subject: 'Your bill {{number}} for {{plan}}',
    heading: 'Please pay {{total}}',
    body: 'Your bill {{number}} for {{plan}} is due on {{date}}.\n\n{{lines}}\n\nTotal: {{total}}\n\n{{instructions}}',
    action: 'Pay now',
  },
  example: { plan, number, lines, total, date, instructions, link },
})

export const billOverdueMail = defineMail({
  name: 'subscription_bill_overdue',
  description:
    'Sent to the member when a bill is overdue that the member pays by hand. The subscription ends if nobody pays the bill',
  values: Type.Object({
    plan: Plan,
    number: BillNumber,
    total: Total,
    date: Type.String({ description: 'When the bill was due' }),
    end_date: Type.String({ description: 'When the subscription ends, if the bill stays unpaid' }),
    instructions: Instructions,
    link: Link,
  }),
  texts: {
    subject: 'Your bill {{number}} for {{plan}} is overdue',
    heading: 'Your bill is overdue',
    body: 'Your bill {{number}} over {{total}} for {{plan}} was due on {{date}}, and we have not received your payment yet.\n\nYou keep your access for now. If the bill is not paid by {{end_date}}, your subscription ends.\n\n{{instructions}}',
    action: 'Pay now',
  },
  example: { plan, number, total, date, end_date: 'January 11, 2027', instructions, link },
})

export const billReducedMail = defineMail({
  name: 'subscription_bill_reduced',
  description:
    'Sent to the member when a subscription ends before its bill was paid by hand. The bill is reduced to the used time',
  values: Type.Object({
    plan: Plan,
    number: BillNumber,
    lines: Lines,
    total: Total,
    instructions: Instructions,
    link: Link,
  }),
  texts: {
    subject: 'Your bill {{number}} for {{plan}} was reduced',
    heading: 'Please pay {{total}}',
    body: 'Your subscription to {{plan}} has ended. Your bill {{number}} was reduced to the time that you used.\n\n{{lines}}\n\nTotal: {{total}}\n\n{{instructions}}',
    action: 'Pay now',
  },
  example: { plan, number, lines, total, instructions, link },
})

export const subscriptionCanceledMail = defineMail({
  name: 'subscription_canceled',
  description: 'A subscription has ended because a bill was not paid; sent to the member',
  values: Type.Object({
    plan: Plan,
    number: BillNumber,
    amount: Total,
    date: Type.String({ description: 'When the bill was due' }),
    link: Link,
  }),
  texts: {
    subject: 'Your subscription to {{plan}} has ended',
    heading: 'Your subscription has ended',
    body: 'Bill {{number}} over {{amount}} for {{plan}} was not paid, so your subscription has ended.\n\nYou can subscribe again at any time.',
    action: 'See your bills',
  },
  example: { plan, number, amount: total, date, link },
})

export const billReceiptMail = defineMail({
  name: 'subscription_receipt',
  description: 'A bill was paid; sent to the member',
  values: Type.Object({
    plan: Plan,
    number: BillNumber,
    lines: Lines,
    total: Total,
    date: Type.String({ description: 'When the bill was paid' }),
  }),
  texts: {
    subject: 'Your receipt for {{plan}}',
    heading: 'Thank you for your payment',
    body: 'Your bill {{number}} was paid on {{date}}.\n\n{{lines}}\n\nTotal: {{total}}\n\nThis is a receipt. It is not an invoice.',
  },
  example: { plan, number, lines, total, date },
})

export const trialEndingMail = defineMail({
  name: 'subscription_trial_ending',
  description: 'A trial ends in three days, and a paid period follows; sent to the member',
  values: Type.Object({
    plan: Plan,
    next_plan: Type.String({ description: 'The name of the plan after the trial' }),
    amount: Type.String({ description: 'The price of a period of the plan after the trial' }),
    price: Price,
    date: Type.String({ description: 'When the trial ends' }),
    link: Page,
  }),
  texts: {
    subject: 'Your trial of {{plan}} ends soon',
    heading: 'Your trial ends soon',
    body: 'Your trial of {{plan}} ends on {{date}}. After that, {{next_plan}} costs {{price}}.\n\nIf you do not want to continue, cancel before that day.',
    action: 'See your subscription',
  },
  example: { plan, next_plan: plan, amount: total, price, date, link: page },
})

export const renewalNoticeMail = defineMail({
  name: 'subscription_renewal_notice',
  description: 'A subscription renews in `renewal_notice_days`; sent to the member',
  values: Type.Object({
    plan: Type.String({ description: 'The name of the plan of the next period' }),
    amount: Type.String({ description: 'The price of the next period' }),
    price: Price,
    date: Type.String({ description: 'When the subscription renews' }),
    link: Page,
  }),
  texts: {
    subject: 'Your subscription to {{plan}} renews on {{date}}',
    heading: 'Your subscription renews soon',
    body: 'Your subscription to {{plan}} renews on {{date}}. {{plan}} costs {{price}}.\n\nIf you do not want to continue, cancel before that day.',
    action: 'See your subscription',
  },
  example: { plan, amount: total, price, date, link: page },
})
