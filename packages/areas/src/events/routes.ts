import { Type } from 'typebox'
import { ById } from '#areas/members/schema.ts'
import { readMember } from '#areas/members/service.ts'
import { answering } from '#platform/db/query.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidParameters } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { isViewer } from '#platform/http/caller.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { parseId } from '#platform/ids.ts'
import { findEvent, listEvents, listMemberEvents } from './queries.ts'
import { EventPage, EventQuery, EventRecord, EventTypeRecord, MemberEventQuery } from './schema.ts'
import { listEventTypes, typesNamed } from './service.ts'

const admin = { access: { secret: 'admin' } } as const

/** The types of events, the log, and the log of one member. */
export function eventRoutes(api: Api, deps: AreaDeps): void {
  const { catalogue } = deps
  api.describeWebhooks(() => listEventTypes(catalogue.events))
  listEventTypesRoute(api, deps)
  listEventsRoute(api, deps)
  listMemberEventsRoute(api, deps)
}

function listEventTypesRoute(api: Api, { catalogue }: AreaDeps): void {
  api.get(
    '/webhooks/event-types',
    {
      config: admin,
      schema: {
        operationId: 'listEventTypes',
        summary: 'List event types',
        description:
          'All event types that an endpoint can subscribe to, each with the schema of its message and an example.',
        response: { 200: envelope(Type.Array(EventTypeRecord)) },
      },
    },
    async () => listEventTypes(catalogue.events),
  )
}

function listEventsRoute(api: Api, { catalogue }: AreaDeps): void {
  api.get(
    '/events',
    {
      // A reader that follows the log by its cursor must not miss events that a replica does not show yet.
      config: { ...admin, reads: 'primary' },
      schema: {
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'Events of the last 30 days, in the order in which they were committed. To miss no event, send the id of the last event that you know as `after`. An event appears shortly after the change that caused it. A viewer is not shown events that say how members log in.',
        querystring: EventQuery,
        response: { 200: EventPage },
      },
    },
    async (request) => {
      const { after, type, limit } = request.query
      const known = after === undefined ? undefined : parseId('event', after)
      if (after !== undefined && known === undefined) throw unknownEvent()
      const types = typesNamed(type, catalogue, isViewer(request))
      const { found, log } = await request.read({
        found: known === undefined ? answering(undefined) : findEvent({ id: known }),
        log: listEvents({ after: known, types, limit: limit + 1 }),
      })
      if (known !== undefined && found === undefined) throw unknownEvent()
      const data = log.events.slice(0, limit)
      const next_after = data.at(-1)?.id ?? after ?? null
      return {
        data,
        pagination: { limit, has_more: log.hasMore, next_after },
      }
    },
  )
}

function listMemberEventsRoute(api: Api, { catalogue }: AreaDeps): void {
  api.get(
    '/members/:id/events',
    {
      config: { access: { secret: 'read:members' } },
      schema: {
        tags: ['Members'],
        operationId: 'listMemberEvents',
        summary: 'List the events of a member',
        description:
          'Events of the last 30 days about this member or something that belongs to the member, newest first. A viewer is not shown events that say how the member logs in.',
        params: ById,
        querystring: MemberEventQuery,
        response: { 200: listEnvelope(EventRecord) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { type, ...query } = request.query
      const types = typesNamed(type, catalogue, isViewer(request))
      const { events } = await request.read({
        member: readMember({ id }),
        events: listMemberEvents({ ...query, types, member_id: id }),
      })
      return events
    },
  )
}

/** 400: the log cannot go on from an event that it does not have. */
const unknownEvent = () =>
  invalidParameters([
    { field: 'after', rule: 'exists', message: 'is not the id of an event of the last 30 days' },
  ])
