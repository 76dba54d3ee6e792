import { type InferResult, type SqlBool, sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineList } from '#platform/lists/list.ts'
import { choice, equals } from '#platform/lists/list-filters.ts'
import { about, actorsOf } from './about.ts'

/** Notifications with what they are about, and only those whose member may read it. */
export const readable = () =>
  query
    .selectFrom('notifications as n')
    .innerJoin('members as m', 'm.id', 'n.member_id')
    .innerJoin('projects as p', 'p.id', 'n.project_id')
    .innerJoinLateral(about.as('about'), (on) => on.onTrue())

const rows = () =>
  readable()
    .select([
      'n.id',
      'n.kind',
      'n.target_type',
      'n.target_id',
      'n.detail',
      'n.note',
      'n.created_at',
      'n.read_at',
    ])
    .select(['about.title', 'about.thread_id', 'about.link'])
    .select(
      // The words of a member whom the reader has muted since are not quoted.
      sql<string | null>`case when not exists (select from mutes u
        where u.member_id = n.member_id and u.muted_id = any (n.actor_ids)) then about.words end`.as('words'),
    )
    .leftJoin('discussion_settings as ds', 'ds.project_id', 'n.project_id')
    .leftJoin('feedback_settings as fs', 'fs.project_id', 'n.project_id')
    .select(['ds.discussion_url', 'fs.feedback_url'])
    .innerJoinLateral(actorsOf.as('actors'), (on) => on.onTrue())
    .select(sql<string[]>`actors.ids[:3]`.as('actor_ids'))
    .select(sql<number>`cardinality(actors.ids)`.as('count'))
export type NotificationRow = InferResult<ReturnType<typeof rows>>[number]
export { rows as notificationRows }

/** Notifications of a member, the newest first. */
export const listNotifications = defineList({
  label: 'notifications',
  rows: () => rows().where('n.in_product', '=', true),
  key: 'n.id',
  scope: { member: equals<string>('n.member_id') },
  filters: {
    unread: choice<boolean>((unread) =>
      unread ? sql<SqlBool>`n.read_at is null` : sql<SqlBool>`n.read_at is not null`,
    ),
  },
})

/** Counting stops here. */
const MOST_COUNTED = 1_000

/** How many notifications a member has not read and may read. */
export const countUnread = defineQuery('count_unread_notifications', (v: { member: string }) =>
  query
    .selectFrom(
      readable()
        .select('n.id')
        .where('n.member_id', '=', v.member)
        .where('n.in_product', '=', true)
        .where('n.read_at', 'is', null)
        .limit(sql.lit(MOST_COUNTED))
        .as('unread'),
    )
    .select(sql<number>`count(*)::int4`.as('count')),
).single()

/** Read notifications are not mailed any more. */
const read = { read_at: now, mail_at: null }

/** Marks notifications of a member as read; of another member's nothing is changed. */
export const markRead = defineQuery('read_notifications', (v: { member: string; ids: readonly string[] }) =>
  query
    .updateTable('notifications')
    .set(read)
    .where('member_id', '=', v.member)
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('read_at', 'is', null),
)

/** The same of all up to a moment, as answers show it: to the millisecond. */
export const markReadBefore = defineQuery(
  'read_notifications_before',
  (v: { member: string; before: string }) =>
    query
      .updateTable('notifications')
      .set(read)
      .where('member_id', '=', v.member)
      .where('created_at', '<', sql<string>`${v.before}::timestamptz + interval '1 millisecond'`)
      .where('read_at', 'is', null),
)
