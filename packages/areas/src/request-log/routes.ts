import { ByProject, EnvironmentQuery } from '#areas/console/schema.ts'
import { type ConsoleDeps, openSide } from '#areas/console/service.ts'
import { typesForViewers } from '#areas/events/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { consoleProjectOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import { loggedEventRoutes } from './event-routes.ts'
import {
  deliveriesOfEvents,
  eventsOfRequest,
  jobsOfRequest,
  listRequests,
  requestsById,
  toDelivery,
} from './queries.ts'
import { ByRequest, LoggedRequest, RequestsQuery, RequestTrace } from './schema.ts'

const tags = ['Requests']
const config = { access: { operator: 'viewer' } } as const

export function requestLogRoutes(api: Api, deps: AreaDeps): void {
  listConsoleRequestsRoute(api, deps)
  getConsoleRequestRoute(api, deps)
  loggedEventRoutes(api, deps)
}

function listConsoleRequestsRoute(api: Api, deps: ConsoleDeps): void {
  api.get(
    '/projects/:id/requests',
    {
      config,
      schema: {
        tags,
        operationId: 'listConsoleRequests',
        summary: 'List the requests of a project',
        description:
          'Requests to the API in the last 7 days, the newest first. They are written a moment after their answers; under great load some can be missing. Bodies and addresses are not stored. Requests of operators are left out unless `include_operators` is true.',
        params: ByProject,
        querystring: RequestsQuery,
        response: { 200: listEnvelope(LoggedRequest) },
      },
    },
    async (request) => {
      const { environment, include_operators = false, ...asked } = request.query
      const side = await openSide(request, deps, environment)
      const filters = include_operators ? asked : { ...asked, operators: false as const }
      const { requests } = await side.read({ requests: listRequests(filters) })
      return requests
    },
  )
}

function getConsoleRequestRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/requests/:request_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getConsoleRequest',
        summary: 'Get what a request caused',
        description:
          'The request with its error, the events that it caused with their deliveries to webhooks, and its background work. A failed delivery is sent again with `POST /api/v1/webhooks/deliveries/{id}/retry`. A viewer is not shown events that say how members log in.',
        params: ByRequest,
        querystring: EnvironmentQuery,
        response: { 200: envelope(RequestTrace) },
      },
    },
    async (request) => {
      const { request_id } = request.params
      const side = await openSide(request, deps, request.query.environment)
      const isViewer = consoleProjectOf(request).role === 'viewer'
      const types = isViewer ? typesForViewers(deps.catalogue) : null
      const { requests, events, jobs } = await side.read({
        requests: requestsById({ request_id }),
        events: eventsOfRequest({ request_id, types }),
        jobs: jobsOfRequest({ request_id }),
      })
      if (requests.length + events.length + jobs.length === 0) throw notFound('Request')
      const { deliveries } = await side.read({
        deliveries: deliveriesOfEvents({ ids: events.map(({ id }) => id) }),
      })
      const byEvent = Map.groupBy(deliveries, ({ event_id }) => event_id)
      return {
        requests,
        events: events.map(({ id, type, occurred_at, member_id }) => ({
          id: toId('event', id),
          type,
          timestamp: occurred_at,
          member_id: member_id === null ? null : toId('member', member_id),
          deliveries: (byEvent.get(id) ?? []).map(toDelivery),
        })),
        jobs: jobs.map((job) => ({
          ...job,
          state: job.state as 'queued' | 'running' | 'done' | 'failed',
        })),
      }
    },
  )
}
