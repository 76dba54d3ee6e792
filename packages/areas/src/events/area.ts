import { defineArea } from '#platform/area.ts'
import { memberData } from './member-data.ts'
import { eventRoutes } from './routes.ts'

export const events = defineArea({
  name: 'events',
  tags: {
    Events: 'What happened in the project in the last 30 days.',
  },
  routes: eventRoutes,
  memberData,
})
