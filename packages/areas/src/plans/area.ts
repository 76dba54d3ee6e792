import { defineArea } from '#platform/area.ts'
import * as errors from './errors.ts'
import * as events from './events.ts'
import { planRoutes } from './routes.ts'

export const plans = defineArea({
  name: 'plans',
  permissions: ['plans'],
  tags: {
    Plans:
      'Prices, features and limits to which members subscribe. Members keep the price at which they joined.',
  },
  routes: planRoutes,
  errors,
  events,
})
