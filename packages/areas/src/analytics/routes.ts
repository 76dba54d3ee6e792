import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import type { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import { goalRoutes } from './goals/routes.ts'
import { ingestionRoutes } from './ingestion/routes.ts'
import { liveRoutes } from './reports/live-routes.ts'
import { queryRoutes } from './reports/queries/query-routes.ts'
import { makeRunReport } from './reports/run-reports.ts'
import { statsRoutes } from './reports/stats-routes.ts'

export function reportRoutes(api: Api, reports: FairSemaphore): void {
  const runReport = makeRunReport(reports)
  statsRoutes(api, runReport)
  queryRoutes(api, runReport)
  liveRoutes(api)
}

export function analyticsRoutes(api: Api, deps: AreaDeps): void {
  ingestionRoutes(api, deps)
  reportRoutes(api, deps.reports)
  goalRoutes(api)
}
