import { defineArea } from '#platform/area.ts'
import { deliver } from './delivery/deliver.consumer.ts'
import { dueDeliveries } from './delivery/due.sweep.ts'
import { fanOutToEndpoints } from './delivery/fan-out.ts'
import { forgetDeliveries, keepDays } from './delivery/keep-days.schedule.ts'
import { openDeliveries, troubledEndpoints } from './delivery/measures.ts'
import { recoverEndpoint } from './endpoints/recover-endpoint.job.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import * as ids from './ids.ts'
import * as mails from './mails.ts'
import { webhookRoutes } from './routes.ts'

export const webhooks = defineArea({
  name: 'webhooks',
  ids,
  tags: {
    Webhooks:
      'Events are sent to your endpoints when they happen: signed by Standard Webhooks, at least once, retried for three days.',
  },
  routes: webhookRoutes,
  errors,
  events,
  mails,
  background: {
    jobs: [recoverEndpoint],
    consumers: [deliver],
    fanOuts: [fanOutToEndpoints],
    sweeps: [dueDeliveries],
    schedules: [forgetDeliveries, keepDays],
    measures: [openDeliveries, troubledEndpoints],
  },
})
