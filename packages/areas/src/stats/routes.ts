import type { Api } from '#platform/http/api.ts'
import { assertPermission } from '#platform/http/caller.ts'
import { envelope } from '#platform/http/envelope.ts'
import type { Permission } from '#platform/keys/permissions.ts'
import { daysAsked, toSeries } from './daily.ts'
import { dailyValues, getToday } from './queries.ts'
import { type DailyMetric, DailyQuery, DailyStats } from './schema.ts'

/** What a key needs to read a metric. */
const PERMISSIONS: Readonly<Record<DailyMetric, readonly Permission[]>> = {
  revenue: ['read:commerce', 'read:plans'],
  mrr: ['read:plans'],
  orders: ['read:commerce'],
  sign_ups: ['read:members'],
}

export function statsRoutes(api: Api): void {
  getDailyStatsRoute(api)
}

function getDailyStatsRoute(api: Api): void {
  api.get(
    '/stats/daily',
    {
      config: { access: { secret: 'any' }, reads: 'report' },
      schema: {
        operationId: 'getDailyStats',
        summary: 'Get a metric by day',
        description:
          'Sums by day, in the time zone of the project, over at most 366 days. Counted exactly from payments, refunds, subscriptions, orders and members. `revenue` is by the day on which money was paid or refunded, in each currency. `mrr` counts subscriptions that are `active` or `past_due` at the end of each day, and of today until now, each by its price for a month: the price of a year is divided by 12 and rounded to the smallest unit of the currency. Members who were deleted later count on the day on which they were created. The key needs `read:commerce` and `read:plans` for `revenue`, `read:plans` for `mrr`, `read:commerce` for `orders` and `read:members` for `sign_ups`.',
        querystring: DailyQuery,
        response: { 200: envelope(DailyStats) },
      },
    },
    async (request) => {
      const { metric } = request.query
      for (const permission of PERMISSIONS[metric]) assertPermission(request, permission)
      const { project } = await request.read({ project: getToday() })
      const range = daysAsked(request.query, project.today)
      const { values } = await request.read({ values: dailyValues[metric](range) })
      return {
        metric,
        timezone: project.timezone,
        start_date: range.from,
        end_date: range.to,
        series: toSeries(metric, range, values),
      }
    },
  )
}
