import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { logRoutes } from './log-routes.ts'
import { memberEventRoutes } from './member-routes.ts'

export function eventRoutes(api: Api, deps: AreaDeps): void {
  logRoutes(api, deps)
  memberEventRoutes(api, deps)
}
