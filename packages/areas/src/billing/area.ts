import { defineArea } from '#platform/area.ts'
import { billPayments } from './bills/payment-handler.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import { mailPayer } from './mailing/mail-payer.job.ts'
import { mailSubscriber } from './mailing/mail-subscriber.job.ts'
import { noticeRenewals } from './mailing/renewal-notices.due.ts'
import * as mails from './mails.ts'
import { memberData } from './member-data.ts'
import { askProviders } from './payments/ask-providers.due.ts'
import * as paymentEvents from './payments/events.ts'
import { billingRoutes } from './routes.ts'
import { advanceDueSubscriptions } from './subscriptions/advance-due.due.ts'
import { askSetups } from './subscriptions/payment-method/ask-setups.due.ts'

export const billing = defineArea({
  name: 'billing',
  ids,
  tags: {
    Subscriptions: 'Plans that members pay for regularly: trials, renewals, changes, pauses and ends.',
    Bills: 'The bills of subscriptions, with each line and each payment.',
    'Payment accounts': 'How payments are taken: with an account at a provider, or by hand.',
    'Test clock': 'Moves the clock of the test side of a project, so that years pass in seconds.',
  },
  routes: billingRoutes,
  errors,
  events: { ...events, ...paymentEvents },
  mails,
  background: { jobs: [mailPayer, mailSubscriber] },
  dueWork: [advanceDueSubscriptions, noticeRenewals, askProviders, askSetups],
  paymentHandlers: { bill: billPayments },
  memberData,
})
