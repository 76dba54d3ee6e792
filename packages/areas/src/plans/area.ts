import { defineArea } from '#platform/area.ts'
import * as events from './events.ts'
import { planRoutes } from './routes.ts'

export const plans = defineArea({
  name: 'plans',
  permissions: ['plans'],
  tags: {
    Plans:
      'What members subscribe to: prices, features and limits. Members stay on the price they came in on.',
  },
  routes: planRoutes,
  events,
})
