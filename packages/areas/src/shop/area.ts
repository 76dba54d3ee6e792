import { defineArea } from '#platform/area.ts'
import { expireReservations } from './checkout/expire-reservations.due.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import * as mails from './mails.ts'
import { memberData } from './member-data.ts'
import { mailBuyer } from './orders/mail-buyer.job.ts'
import { orderPayments } from './orders/payment-handler.ts'
import { orderTopics } from './orders/topics.ts'
import { searchSource } from './products/found.ts'
import { shopRoutes } from './routes.ts'

export const shop = defineArea({
  name: 'shop',
  ids,
  permissions: ['commerce'],
  tags: { Shop: 'Products with stock, carts, discounts and orders. Amounts are in major units (19.99).' },
  routes: shopRoutes,
  errors,
  events,
  mails,
  background: { jobs: [mailBuyer] },
  paymentHandlers: { order: orderPayments },
  dueWork: [expireReservations],
  memberData,
  topics: [orderTopics],
  searchSources: [searchSource],
})
