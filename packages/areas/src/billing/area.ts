import { defineArea } from '#platform/area.ts'
import { billPayments } from './bills/payment-handler.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import * as mails from './mails.ts'
import { memberData } from './member-data.ts'
import { askProviders } from './payments/ask-providers.due.ts'
import { billingRoutes } from './routes.ts'
import { sendSubscriptionMail } from './subscriptions/send-mail.job.ts'
import { settleDueSubscriptions } from './subscriptions/settle-due.due.ts'

export const billing = defineArea({
  name: 'billing',
  ids,
  tags: {
    Subscriptions:
      'Plans that members pay for again and again: trials, renewals, changes, pauses and their ends.',
    Bills: 'What subscriptions have charged, line by line, and how it was paid.',
    'Payment accounts': 'Where money comes from: a provider’s account, or by hand.',
    'Test clock': 'Drives the test side of a project through years in seconds.',
  },
  routes: billingRoutes,
  events,
  mails,
  background: { jobs: [sendSubscriptionMail] },
  dueWork: [settleDueSubscriptions, askProviders],
  paymentHandlers: { bill: billPayments },
  memberData,
})
