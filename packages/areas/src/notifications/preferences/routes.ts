import { actingMember, whoActs } from '#platform/http/acting-member.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { getPreferences, makePreferences, rescheduleMails, updatePreferences } from './queries.ts'
import { PreferenceChanges, Preferences } from './schema.ts'

const acting = { actingMember: 'header', etag: updatePreferences.tag } as const

export function preferenceRoutes(api: Api): void {
  getNotificationPreferencesRoute(api)
  updateNotificationPreferencesRoute(api)
}

function getNotificationPreferencesRoute(api: Api): void {
  api.get(
    '/notifications/preferences',
    {
      config: { ...acting, access: { secret: 'read:community', user: 'self' } },
      schema: {
        operationId: 'getNotificationPreferences',
        summary: 'Get the notification preferences of a member',
        description:
          'The answer has every kind of notification, with the defaults where the member chose nothing.',
        response: { 200: envelope(Preferences) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const { member } = await request.read({ member: actingMember(who) })
      const { preferences } = await request.read({ preferences: getPreferences({ id: member.id }) })
      return preferences
    },
  )
}

function updateNotificationPreferencesRoute(api: Api): void {
  api.patch(
    '/notifications/preferences',
    {
      config: {
        ...acting,
        access: { secret: 'write:community', user: 'self' },
        whileSuspended: 'goes on',
      },
      schema: {
        operationId: 'updateNotificationPreferences',
        summary: 'Change the notification preferences of a member',
        description:
          'Only the fields that are sent change. Notifications that wait to be mailed follow the new preferences. Mails that a member cannot do without, such as receipts and links to log in, are not affected.',
        body: PreferenceChanges,
        response: { 200: envelope(Preferences) },
      },
    },
    async (request) => {
      const who = whoActs(request)
      const { ifMatch } = request
      return request.write(async (ctx) => {
        const { id } = await actingMember(ctx, who)
        makePreferences(ctx, { ids: [id] })
        const preferences = await updatePreferences(ctx, { id, changes: request.body, ifMatch })
        await rescheduleMails(ctx, { id })
        return preferences
      })
    },
  )
}
