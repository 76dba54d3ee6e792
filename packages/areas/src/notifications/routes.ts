import type { AreaDeps } from '#platform/deps.ts'
import { invalidBody } from '#platform/errors.ts'
import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { parseId } from '#platform/ids.ts'
import { notificationId } from './ids.ts'
import { messageRoutes } from './messages/routes.ts'
import { preferenceRoutes } from './preferences/routes.ts'
import { countUnread, listNotifications, markRead, markReadBefore } from './queries.ts'
import { ListQuery, Notification, ReadRequest, UnreadCount } from './schema.ts'
import { shownWith } from './shown.ts'

const acting = { actingMember: 'header' } as const

export function notificationRoutes(api: Api, deps: AreaDeps): void {
  preferenceRoutes(api)
  messageRoutes(api)
  listNotificationsRoute(api, deps)
  countUnreadNotificationsRoute(api)
  readNotificationsRoute(api)
}

function listNotificationsRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/notifications',
    {
      config: { ...acting, access: { secret: 'read:community', user: 'self' } },
      schema: {
        operationId: 'listNotifications',
        summary: 'List the notifications of a member',
        description:
          'The newest notification comes first. A notification is listed only while the member may read the post, item or course that it is about. Notifications are deleted after 90 days.',
        querystring: ListQuery,
        response: { 200: listEnvelope(Notification) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const { member } = await request.read({ member: actingMember(who) })
      const { listed } = await request.read({
        listed: listNotifications({ ...request.query, member: member.id }),
      })
      const { shown } = await request.read({ shown: shownWith(deps.config, listed.rows) })
      return { rows: shown, pagination: listed.pagination }
    },
  )
}

function countUnreadNotificationsRoute(api: Api): void {
  api.get(
    '/notifications/unread-count',
    {
      config: { ...acting, access: { secret: 'read:community', user: 'self' } },
      schema: {
        operationId: 'countUnreadNotifications',
        summary: 'Count the unread notifications of a member',
        description: 'It counts the notifications that `GET /notifications?unread=true` lists.',
        response: { 200: envelope(UnreadCount) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const { member } = await request.read({ member: actingMember(who) })
      const { unread } = await request.read({ unread: countUnread({ member: member.id }) })
      return unread
    },
  )
}

function readNotificationsRoute(api: Api): void {
  api.post(
    '/notifications/read',
    {
      config: {
        ...acting,
        access: { secret: 'write:community', user: 'self' },
        whileSuspended: 'goes on',
      },
      schema: {
        operationId: 'readNotifications',
        summary: 'Mark notifications as read',
        description:
          'Send `ids` or `before`. The answer has the number of notifications that are still unread. A notification that is read is not mailed any more.',
        body: ReadRequest,
        response: { 200: envelope(UnreadCount) },
      },
    },
    async (request) => {
      const { ids, before } = request.body
      if ((ids === undefined) === (before === undefined))
        throw invalidBody([
          { field: 'ids', rule: 'required', message: 'or before is required, and not both' },
        ])
      const who = whoActs(request)
      return request.write(async (ctx) => {
        const { id: member } = await actingMember(ctx, who)
        if (before !== undefined) await markReadBefore(ctx, { member, before })
        else {
          await markRead(ctx, { member, ids: storedIds(ids ?? []) })
        }
        return countUnread(ctx, { member })
      })
    },
  )
}

/** @throws ApiError 422 that names every entry that is no id of a notification */
function storedIds(ids: readonly string[]): string[] {
  const stored = ids.map((id) => parseId(notificationId, id))
  const faults = stored.flatMap((id, i) =>
    id === undefined ? { field: `ids[${i}]`, rule: 'id', message: 'is not an id of a notification' } : [],
  )
  if (faults.length > 0) throw invalidBody(faults)
  return stored.filter((id) => id !== undefined)
}
