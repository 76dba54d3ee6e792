import { ByProject, EnvironmentQuery } from '#areas/console/schema.ts'
import { openSide } from '#areas/console/service.ts'
import { typesForViewers, typesNamed } from '#areas/events/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { consoleProjectOf } from '#platform/http/server/console-request.ts'
import { getLoggedEvent, listLoggedEvents } from './event-queries.ts'
import { ByEvent, EventsQuery, LoggedEvent, LoggedEventInFull } from './event-schema.ts'
import { deliveriesOfEvents, toDelivery } from './queries.ts'

const tags = ['Events']
const config = { access: { operator: 'viewer' } } as const

/** The log of events as operators read it: the newest first, and each with its cause. */
export function loggedEventRoutes(api: Api, deps: AreaDeps): void {
  listConsoleEventsRoute(api, deps)
  getConsoleEventRoute(api, deps)
}

function listConsoleEventsRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/events',
    {
      config,
      schema: {
        tags,
        operationId: 'listConsoleEvents',
        summary: 'List the events of a project',
        description:
          'Events of the last 30 days, the newest first, each with the request that caused it. Programs that follow the log use `GET /api/v1/events`. A viewer is not shown events that say how members log in.',
        params: ByProject,
        querystring: EventsQuery,
        response: { 200: listEnvelope(LoggedEvent) },
      },
    },
    async (request) => {
      const { environment, type, ...asked } = request.query
      const side = await openSide(request, deps, environment)
      const isViewer = consoleProjectOf(request).role === 'viewer'
      const types = typesNamed(type, deps.catalogue, isViewer)
      const { events } = await side.read({ events: listLoggedEvents({ ...asked, types }) })
      return events
    },
  )
}

function getConsoleEventRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/events/:event_id',
    {
      config,
      schema: {
        tags,
        operationId: 'getConsoleEvent',
        summary: 'Get an event with its cause and its deliveries',
        description:
          'The answer has the data of the event, the request that caused it, and its delivery to each webhook. A viewer is not shown events that say how members log in.',
        params: ByEvent,
        querystring: EnvironmentQuery,
        response: { 200: envelope(LoggedEventInFull) },
      },
    },
    async (request) => {
      const { event_id: id } = request.params
      const side = await openSide(request, deps, request.query.environment)
      const { event, deliveries } = await side.read({
        event: getLoggedEvent({ id }),
        deliveries: deliveriesOfEvents({ ids: [id] }),
      })
      const isViewer = consoleProjectOf(request).role === 'viewer'
      if (isViewer && !typesForViewers(deps.catalogue).includes(event.type)) throw notFound('Event')
      return { ...event, deliveries: deliveries.map(toDelivery) }
    },
  )
}
