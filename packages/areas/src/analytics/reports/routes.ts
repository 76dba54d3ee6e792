import type { Api } from '#platform/http/api.ts'
import { liveRoutes } from './live-routes.ts'
import { queryRoutes } from './queries/query-routes.ts'
import { statsRoutes } from './stats-routes.ts'

export function reportRoutes(api: Api): void {
  statsRoutes(api)
  queryRoutes(api)
  liveRoutes(api)
}
