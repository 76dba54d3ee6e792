import { Type } from 'typebox'
import { invalidParameters } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, envelopeOf } from '#platform/http/envelope.ts'
import { toCursor } from '#platform/lists/list-cursor.ts'
import { cursorOf } from '#platform/lists/pagination.ts'
import { reportTooLarge } from '../errors.ts'
import { metricsOf, requestOf, scopeOf } from './asked.ts'
import type { Filter } from './filters.ts'
import { NOTHING, valuesOf } from './metrics.ts'
import { previousOf } from './period.ts'
import { DIMENSIONS, type NamedDimension, parseDimension } from './queries/dimensions.ts'
import { readReport } from './report.ts'
import type { RunReport } from './run-reports.ts'
import {
  BreakdownItem,
  BreakdownQuery,
  CursorPagination,
  Stats,
  StatsQuery,
  Timeseries,
  TimeseriesQuery,
} from './schema.ts'

const config = { access: { secret: 'read:analytics' }, reads: 'report', errors: [reportTooLarge] } as const
const ABOUT =
  'Whole days are read from roll-ups, everything else from the stored events. The numbers are exact and include the latest events.'

/** Numbers of a range: in all, over time, and by one dimension. */
export function statsRoutes(api: Api, runReport: RunReport): void {
  getAnalyticsStatsRoute(api, runReport)
  getAnalyticsTimeseriesRoute(api, runReport)
  getAnalyticsBreakdownRoute(api, runReport)
}

function getAnalyticsStatsRoute(api: Api, runReport: RunReport): void {
  api.get(
    '/analytics/stats',
    {
      config,
      schema: {
        operationId: 'getAnalyticsStats',
        summary: 'Get the metrics of a date range',
        description: ABOUT,
        querystring: StatsQuery,
        response: { 200: envelope(Stats) },
      },
    },
    async (request) => {
      const asked = request.query
      const metrics = metricsOf(asked.metric, invalidParameters)
      const wanted = { metrics, filters: filtersOf(asked) }
      return runReport(request, async () => {
        const scope = await scopeOf(request, asked, Date.now(), invalidParameters)
        const [row] = await readReport(request, requestOf(scope, wanted, invalidParameters))
        const now = valuesOf(metrics, row ?? NOTHING)
        if (asked.compare === undefined) return now
        const before = { ...wanted, period: previousOf(scope.period) }
        const [earlier] = await readReport(request, requestOf(scope, before, invalidParameters))
        return { ...now, previous: valuesOf(metrics, earlier ?? NOTHING) }
      })
    },
  )
}

function getAnalyticsTimeseriesRoute(api: Api, runReport: RunReport): void {
  api.get(
    '/analytics/timeseries',
    {
      config,
      schema: {
        operationId: 'getAnalyticsTimeseries',
        summary: 'Get metrics over time',
        description: `The answer has a point for each hour, day, week or month, also where there were no events. ${ABOUT} The visitors of a point of several days are the sum of the visitors of each day. Hours are counted from the start of the day.`,
        querystring: TimeseriesQuery,
        response: { 200: envelope(Timeseries) },
      },
    },
    async (request) => {
      const asked = request.query
      const { interval } = asked
      const metrics = metricsOf(asked.metric, invalidParameters)
      const wanted = { metrics, interval, filters: filtersOf(asked) }
      return runReport(request, async () => {
        const scope = await scopeOf(request, asked, Date.now(), invalidParameters)
        const seriesOf = async (period = scope.period) => {
          const report = requestOf(scope, { ...wanted, period }, invalidParameters)
          const rows = new Map((await readReport(request, report)).map((row) => [row.bucket, row]))
          return report.starts.map((start, i) => ({
            start: new Date(start).toISOString(),
            ...valuesOf(metrics, rows.get(i + 1) ?? NOTHING),
          }))
        }
        const points = await seriesOf()
        const previous = asked.compare && (await seriesOf(previousOf(scope.period)))
        return { interval, timezone: scope.period.zone, points, ...(previous && { previous }) }
      })
    },
  )
}

function getAnalyticsBreakdownRoute(api: Api, runReport: RunReport): void {
  api.get(
    '/analytics/breakdown',
    {
      config,
      schema: {
        operationId: 'getAnalyticsBreakdown',
        summary: 'Get metrics by a dimension',
        description: `The values with the most of the first requested metric come first. Events without a value are left out. Pages and event names are counted for each event; all other dimensions belong to a visit and have the value of its first page view. ${ABOUT}`,
        querystring: BreakdownQuery,
        response: {
          200: envelopeOf({
            data: Type.Array(BreakdownItem),
            pagination: CursorPagination,
          }),
        },
      },
    },
    async (request) => {
      const { dimension: named, limit, cursor, ...asked } = request.query
      const metrics = metricsOf(asked.metric, invalidParameters)
      const dimension = parseDimension(named)
      if (dimension === undefined) throw unknownDimension()
      const after = cursorOf({ cursor }, ['breakdown'], ['number', 'text'])
      const rows = await runReport(request, async () => {
        const scope = await scopeOf(request, asked, Date.now(), invalidParameters)
        const wanted = {
          metrics,
          dimensions: [dimension],
          filters: filtersOf(asked),
          order: [{ by: metrics[0] ?? 'visitors', descending: true }],
          limit: limit + 1,
          ...(after && { after: { value: Number(after[0]), key: String(after[1]) } }),
        }
        return readReport(request, requestOf(scope, wanted, invalidParameters))
      })
      const shown = rows.slice(0, limit)
      const last = rows.length > limit ? shown.at(-1) : undefined
      return {
        data: shown.map((row) => ({ value: row.values[0] ?? '', ...valuesOf(metrics, row) })),
        pagination: {
          limit,
          next_cursor: last ? toCursor(['breakdown'], [last.rank, last.values[0] ?? '']) : null,
        },
      }
    },
  )
}

const unknownDimension = () =>
  invalidParameters([
    {
      field: 'dimension',
      rule: 'enum',
      message: `is an unknown dimension. Known: ${DIMENSIONS.join(', ')}, or property:<name>`,
    },
  ])

/** Conditions that a query string names by their dimensions. */
export const filtersOf = (
  asked: {
    readonly [D in Exclude<NamedDimension, 'page'> | 'path']?: string | undefined
  },
): Filter[] =>
  DIMENSIONS.flatMap((dimension) => {
    const value = asked[dimension === 'page' ? 'path' : dimension]
    return value === undefined ? [] : [{ dimension, operator: 'is' as const, values: [value] }]
  })
