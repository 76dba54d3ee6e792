import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import type { FairSemaphore } from '#platform/threads/fair-semaphore.ts'
import * as analyticsExportFile from './reports/queries/export.ts'
import { makeRunReport } from './reports/run-reports.ts'
import * as settings from './settings.ts'
import { storedPath } from './visitors/page-path.ts'

/** How a side of a project works with this area, for its operators. */
export const { assertAnalyticsSettings, findAnalyticsSettings, updateAnalyticsSettings } = settings

/** Events and page views as a file. */
export const analyticsExport = analyticsExportFile.analyticsExport

/** A page that a member, or somebody without a name, looked at. */
export interface ViewedPage {
  readonly host: string | null
  readonly path: string
  readonly member_id: string | null
  readonly views: number
}

interface Wanted {
  readonly since: Date
  /** How many at the most. */
  readonly limit: number
}

const viewedPages = defineQuery(
  'viewed_pages',
  (v: Wanted) =>
    sql<ViewedPage>`select host, ${storedPath(sql`path`)} as path, member_id, count(*) as views from analytics_events
      where at >= ${v.since} and name is null and not bot and path is not null
      group by 1, 2, 3 order by views desc, 1, 2 limit ${v.limit}`,
)

/**
 * Pages that were looked at since, and by which members, the most viewed first. Bots are left out. It reads every event of these
 * days, so it is a report: the route says `reads: 'report'`.
 * @param reports the turns of projects at reports
 * @throws ApiError 422 REPORT_TOO_LARGE, 503 where too many wait
 */
export async function readViewedPages(
  request: FastifyRequest,
  reports: FairSemaphore,
  wanted: Wanted,
): Promise<ViewedPage[]> {
  const run = makeRunReport(reports)
  const { viewed } = await run(request, () => request.read({ viewed: viewedPages(wanted) }))
  return viewed
}
