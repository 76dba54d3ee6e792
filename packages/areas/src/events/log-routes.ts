import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidParameters } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { parseId } from '#platform/ids.ts'
import { listEventTypes } from './event-types.ts'
import { hasEvent, listEvents } from './queries.ts'
import { EventPage, EventQuery, EventTypeRecord } from './schema.ts'
import { toEventRecord } from './service.ts'
import { typesNamed } from './types-named.ts'

const tags = ['Events']
const admin = { access: { secret: 'admin' } } as const

/** What can happen, and what has happened. */
export function logRoutes(api: Api, { catalogue }: AreaDeps): void {
  api.describeWebhooks(() => listEventTypes(catalogue.events))
  api.get(
    '/webhooks/event-types',
    {
      config: admin,
      schema: {
        tags,
        operationId: 'listEventTypes',
        summary: 'List event types',
        description:
          'All event types that an endpoint can subscribe to, each with the schema of its message and an example.',
        response: { 200: envelope(Type.Array(EventTypeRecord)) },
      },
    },
    async () => ok(listEventTypes(catalogue.events)),
  )

  api.get(
    '/events',
    {
      // Whoever follows the log by its cursor must miss nothing that a replica does not show yet.
      config: { ...admin, reads: 'primary' },
      schema: {
        tags,
        operationId: 'listEvents',
        summary: 'List events',
        description:
          'Events of the last 30 days, in the order in which they were committed. To miss no event, send the id of the last event that you know as `after`. An event appears shortly after the change that caused it.',
        querystring: EventQuery,
        response: { 200: EventPage },
      },
    },
    async (request) => {
      const { after, type, limit } = request.query
      const known = after === undefined ? undefined : parseId('event', after)
      if (after !== undefined && known === undefined) throw unknownEvent()
      const types = typesNamed(type, catalogue)
      const rows = await request.inProject(async (ctx) => {
        if (known !== undefined && !(await hasEvent(ctx, known))) throw unknownEvent()
        return listEvents(ctx, known, types, limit + 1)
      })
      const data = rows.slice(0, limit).map(toEventRecord)
      const next_after = data.at(-1)?.id ?? after ?? null
      return {
        success: true as const,
        data,
        pagination: { limit, has_more: rows.length > limit, next_after },
      }
    },
  )
}

/** 400: the log cannot go on from an event that it does not have. */
const unknownEvent = () =>
  invalidParameters([
    { field: 'after', rule: 'exists', message: 'is not the id of an event of the last 30 days' },
  ])
