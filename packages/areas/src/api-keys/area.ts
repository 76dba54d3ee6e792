import { defineArea } from '#platform/area.ts'
import * as events from './events.ts'
import { apiKeyRoutes } from './routes.ts'

export const apiKeys = defineArea({
  name: 'api-keys',
  tags: {
    'API keys':
      'The credentials of a project. Operators create keys; the API lists, replaces and revokes them.',
  },
  routes: apiKeyRoutes,
  events,
})
