import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { reportTooLarge } from '../../errors.ts'
import type { RunReport } from '../run-reports.ts'
import { answerFunnel } from './funnel.ts'
import { answerQuery } from './query.ts'
import { Funnel, FunnelBody, QueryBody, QueryRow, Retention, RetentionBody } from './query-schema.ts'
import { answerRetention } from './retention.ts'

const config = {
  onlyReads: true,
  reads: 'report',
  access: { secret: 'read:analytics' },
  errors: [reportTooLarge],
} as const

/** Reports that are asked for with a body. */
export function queryRoutes(api: Api, runReport: RunReport): void {
  queryAnalyticsRoute(api, runReport)
  getFunnelRoute(api, runReport)
  getRetentionRoute(api, runReport)
}

function queryAnalyticsRoute(api: Api, runReport: RunReport): void {
  api.post(
    '/analytics/query',
    {
      config,
      schema: {
        operationId: 'queryAnalytics',
        summary: 'Query metrics by dimensions',
        description:
          'Groups without events are left out, and so are groups in which a dimension has no value. Without dimensions the answer has one group.',
        body: QueryBody,
        response: { 200: envelope(Type.Array(QueryRow)) },
      },
    },
    async (request) => runReport(request, () => answerQuery(request, request.body, Date.now())),
  )
}

function getFunnelRoute(api: Api, runReport: RunReport): void {
  api.post(
    '/analytics/funnel',
    {
      config,
      schema: {
        operationId: 'getFunnel',
        summary: 'Get a funnel',
        description:
          'A funnel counts who made the first step, how many of them made the second step later, and so on. Other events between the steps are allowed.',
        body: FunnelBody,
        response: { 200: envelope(Funnel) },
      },
    },
    async (request) => runReport(request, () => answerFunnel(request, request.body, Date.now())),
  )
}

function getRetentionRoute(api: Api, runReport: RunReport): void {
  api.post(
    '/analytics/retention',
    {
      config,
      schema: {
        operationId: 'getRetention',
        summary: 'Get retention',
        description:
          'Members are grouped by the period in which they were first seen in the stored events. The answer has, for each group, the number of members who were seen in each later period. Visitors who are not members are not counted, because they are not recognized on another day.',
        body: RetentionBody,
        response: { 200: envelope(Retention) },
      },
    },
    async (request) => runReport(request, () => answerRetention(request, request.body, Date.now())),
  )
}
