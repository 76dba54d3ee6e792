import { defineArea } from '#platform/area.ts'
import { memberData } from './member-data.ts'
import { eventRoutes } from './routes.ts'

export const events = defineArea({
  name: 'events',
  tags: {
    Events: 'The events of the project in the last 30 days.',
  },
  routes: eventRoutes,
  memberData,
})
