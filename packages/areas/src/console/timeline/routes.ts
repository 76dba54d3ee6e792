import { Type } from 'typebox'
import { typesForViewers } from '#areas/events/service.ts'
import { mailId } from '#areas/mail/ids.ts'
import { readMember } from '#areas/members/service.ts'
import { orderId } from '#areas/shop/ids.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidParameters } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelopeOf, nullable } from '#platform/http/envelope.ts'
import { consoleProjectOf } from '#platform/http/server/console-request.ts'
import { parseId, type Resource, toId } from '#platform/ids.ts'
import { openSide } from '../service.ts'
import { type TimelineRow, timelinePage } from './queries.ts'
import { ByMember, KINDS, type Kind, TimelineEntry, TimelineQuery } from './schema.ts'

const RESOURCES: Readonly<Partial<Record<Kind, Resource>>> = {
  event: 'event',
  mail: mailId,
  order: orderId,
  session: 'session',
}

export function timelineRoutes(api: Api, deps: AreaDeps): void {
  getConsoleTimelineRoute(api, deps)
}

/** An entry as operators see it. What has no public id of its own is named by its request, or by its action. */
const toEntry = ({ kind, id, at, title, state, ...cause }: TimelineRow): TimelineEntry => {
  const resource = RESOURCES[kind]
  return {
    kind,
    id: resource === undefined ? (kind === 'request' ? (cause.request_id ?? id) : id) : toId(resource, id),
    ...{ at, title, state },
    cause: {
      request_id: cause.request_id,
      actor: cause.actor,
      actor_id: cause.actor_id,
      reason: cause.reason,
    },
  }
}

/** A session's title says which factors the member has logged in with: a viewer is not told. */
const withoutFactors = (entry: TimelineEntry): TimelineEntry =>
  entry.kind === 'session' ? { ...entry, title: 'log_in' } : entry

function getConsoleTimelineRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/members/:member_id/timeline',
    {
      config: { access: { operator: 'viewer' } },
      schema: {
        tags: ['Members'],
        operationId: 'getConsoleTimeline',
        summary: 'List everything that happened to a member',
        description:
          'Events, mails, orders, sessions, acts of operators and keys, and requests, the newest first, each with its cause as far as it is known. Events are kept for 30 days and requests for 7. A session has how the member logged in as its title; a viewer sees `log_in`, and no events that say how the member logs in.',
        params: ByMember,
        querystring: TimelineQuery,
        response: {
          200: envelopeOf({
            data: Type.Array(TimelineEntry),
            next_cursor: nullable(
              Type.String({ description: 'Send it as `cursor` to get the next page; null on the last page' }),
            ),
          }),
        },
      },
    },
    async (request) => {
      const { environment, kinds, limit, cursor } = request.query
      const { member_id: member } = request.params
      const before = cursor === undefined ? null : parseId('event', cursor)
      if (before === undefined)
        throw invalidParameters([
          { field: 'cursor', rule: 'cursor', message: 'is not a cursor of this list' },
        ])
      const isViewer = consoleProjectOf(request).role === 'viewer'
      const side = await openSide(request, deps, environment)
      const { rows } = await side.read({
        member: readMember({ id: member }),
        rows: timelinePage({
          ...{ member, target: toId('member', member), before, limit: limit + 1 },
          types: isViewer ? typesForViewers(deps.catalogue) : null,
          kinds:
            kinds === undefined ? KINDS.filter((kind) => kind !== 'request') : (kinds.split(',') as Kind[]),
        }),
      })
      const entries = rows.slice(0, limit).map(toEntry)
      const last = rows.length > limit ? rows[limit - 1] : undefined
      return {
        data: isViewer ? entries.map(withoutFactors) : entries,
        next_cursor: last === undefined ? null : toId('event', last.entry),
      }
    },
  )
}
