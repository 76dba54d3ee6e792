import { dailyValues, daysOfRange, getToday, lastDays } from '#areas/stats/service.ts'
import type { AnswerOf } from '#platform/db/query.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { fromMinor } from '#platform/values/money.ts'
import { ByProject, EnvironmentQuery } from '../schema.ts'
import { type ConsoleDeps, openSide } from '../service.ts'
import { countNow, type DayCount, failedDeliveriesByDay, failedToday, submissionsByDay } from './queries.ts'
import { Overview } from './schema.ts'

/** Days of an overview. */
const DAYS = 30

export function overviewRoutes(api: Api, deps: ConsoleDeps): void {
  getConsoleOverviewRoute(api, deps)
}

function getConsoleOverviewRoute(api: Api, deps: ConsoleDeps): void {
  api.get(
    '/projects/:id/overview',
    {
      config: { access: { operator: 'viewer' } },
      schema: {
        tags: ['Overview'],
        operationId: 'getConsoleOverview',
        summary: 'Get the numbers of a project',
        description:
          'Members, revenue, webhooks and submissions now, and by day for the last 30 days. The values of days are those of `GET /api/v1/stats/daily`.',
        params: ByProject,
        querystring: EnvironmentQuery,
        response: { 200: envelope(Overview) },
      },
    },
    async (request) => {
      const side = await openSide(request, deps, request.query.environment)
      return overviewOf(side)
    },
  )
}

/** Everything is asked in two round trips. */
async function overviewOf(data: Pick<ProjectData, 'read'>): Promise<Overview> {
  const { project } = await data.read({ project: getToday() })
  const range = lastDays(project.today, DAYS)
  const { now, failed, submissions, deliveries, revenue, orders, signUps } = await data.read({
    now: countNow(),
    failed: failedToday(),
    submissions: submissionsByDay(range),
    deliveries: failedDeliveriesByDay(range),
    revenue: dailyValues.revenue(range),
    orders: dailyValues.orders(range),
    signUps: dailyValues.sign_ups(range),
  })
  const [ordersOf, signUpsOf] = [countsOf(orders.map(toCount)), countsOf(signUps.map(toCount))]
  const [submissionsOf, deliveriesOf] = [countsOf(submissions), countsOf(deliveries)]
  const byRevenue = Map.groupBy(revenue, ({ day }) => day)
  return {
    timezone: project.timezone,
    ...statesOf(now, failed.count),
    days: daysOfRange(range).map((date) => ({
      date,
      sign_ups: signUpsOf(date),
      orders: ordersOf(date),
      submissions: submissionsOf(date),
      failed_deliveries: deliveriesOf(date),
      revenue: (byRevenue.get(date) ?? []).flatMap(({ currency, value }) =>
        currency === null ? [] : [{ currency, amount: fromMinor(value, currency) }],
      ),
    })),
  }
}

function statesOf(now: AnswerOf<typeof countNow>, failed: number): Omit<Overview, 'timezone' | 'days'> {
  const { members, submissions, endpoints, failing, disabled, pending_deliveries } = now
  return {
    members: {
      total: Object.values(members).reduce((sum, each) => sum + each, 0),
      active: members.active ?? 0,
      pending: members.pending ?? 0,
      inactive: members.inactive ?? 0,
    },
    subscriptions: now.mrr.map(({ currency, amount_minor }) => ({
      currency,
      mrr: fromMinor(amount_minor, currency),
    })),
    webhooks: { endpoints, failing, disabled, pending_deliveries, failed_deliveries: failed },
    submissions: { received: submissions.received ?? 0, spam: submissions.spam ?? 0 },
  }
}

const toCount = ({ day, value }: { readonly day: string | null; readonly value: number }): DayCount => ({
  day: day ?? '',
  count: value,
})

/** How many there are of a day. */
function countsOf(counts: readonly DayCount[]): (day: string) => number {
  const known = new Map(counts.map(({ day, count }) => [day, Number(count)]))
  return (day) => known.get(day) ?? 0
}
