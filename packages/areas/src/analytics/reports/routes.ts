import type { Api } from '#platform/http/api.ts'
import { liveRoutes } from './live-routes.ts'
import { queryRoutes } from './queries/query-routes.ts'
import { makeRunReport } from './run-reports.ts'
import { statsRoutes } from './stats-routes.ts'

export function reportRoutes(api: Api): void {
  const runReport = makeRunReport()
  statsRoutes(api, runReport)
  queryRoutes(api, runReport)
  liveRoutes(api)
}
