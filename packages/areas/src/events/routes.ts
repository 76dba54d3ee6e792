import type { Api } from '#platform/http/api.ts'
import { logRoutes } from './log-routes.ts'
import { memberEventRoutes } from './member-routes.ts'

export function eventRoutes(api: Api): void {
  api.describeTag('Events', 'What happened in the project: a log of 30 days.')
  logRoutes(api)
  memberEventRoutes(api)
}
