import { defineArea } from '#platform/area.ts'
import { statsRoutes } from './routes.ts'

export const stats = defineArea({
  name: 'stats',
  tags: { Statistics: 'Sums by day of money, orders and members.' },
  routes: statsRoutes,
})
