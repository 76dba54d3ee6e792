import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { goalRoutes } from './goals/routes.ts'
import { ingestionRoutes } from './ingestion/routes.ts'
import { reportRoutes } from './reports/routes.ts'

export function analyticsRoutes(api: Api, deps: AreaDeps): void {
  ingestionRoutes(api, deps)
  reportRoutes(api)
  goalRoutes(api)
}
