import { defineArea } from '#platform/area.ts'
import * as events from './events.ts'
import { apiKeyRoutes } from './routes.ts'

export const apiKeys = defineArea({
  name: 'api-keys',
  tags: {
    'API keys':
      'The credentials of a project. New keys are made by operators, never with a key; here they are listed, rotated and revoked.',
  },
  routes: apiKeyRoutes,
  events,
})
