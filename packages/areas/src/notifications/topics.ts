import { sql } from 'kysely'
import { assertMay, type Publication, type TopicGroup } from '#platform/catalogue/topic.ts'
import { defineQuery } from '#platform/db/query.ts'
import { forbidden } from '#platform/errors.ts'
import { defineNotice } from '#platform/events/notify-streams.ts'
import { isMember } from '#platform/http/viewer.ts'
import { notificationRows } from './queries.ts'
import { shownWith } from './shown.ts'

export const notificationCreated = defineNotice({
  name: 'notification.created',
  description: 'A member has a new notification, or one more like in an unread one',
})

const publishedNotifications = defineQuery(
  'published_notifications',
  (v: { ids: readonly string[]; members: readonly string[] }) =>
    notificationRows()
      .select('n.member_id')
      .where('n.id', '=', sql<string>`any (${v.ids}::uuid[])`)
      .where('n.member_id', '=', sql<string>`any (${v.members}::uuid[])`)
      .where('n.in_product', '=', true),
)

/** Notifications of a member, as the member may read them when they are published. */
export const notificationTopics: TopicGroup = {
  topics: [
    {
      name: 'notifications',
      description: 'New notifications of the member. A key names the member and needs `read:community`',
      example: 'notifications',
      open: async (_data, asker) => {
        assertMay(asker, 'read:community')
        if (asker.viewer.memberId === null)
          throw forbidden('Notifications are those of a member: name one in X-User-ID')
        return asker.viewer.memberId
      },
    },
  ],
  events: [],
  notices: [notificationCreated],
  publish: async (logged, { data, open, parts: { config } }) => {
    const ids = logged.flatMap(({ subject_id }) => subject_id ?? [])
    const { rows } = await data.read({
      rows: publishedNotifications({ ids, members: open.keysOf('notifications') }),
    })
    const { shown } = await data.read({ shown: shownWith(config, rows) })
    const byId = new Map(rows.map((row, i) => [row.id, { row, shown: shown[i] as object }]))
    return new Map(
      logged.flatMap((each): [string, Publication][] => {
        const found = byId.get(each.subject_id ?? '')
        if (found === undefined) return []
        const { member_id } = found.row
        const topics = [`notifications:${member_id}`]
        return [[each.id, { topics, data: found.shown, mayKnow: (viewer) => isMember(viewer, member_id) }]]
      }),
    )
  },
}
