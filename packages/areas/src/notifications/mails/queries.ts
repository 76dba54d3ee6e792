import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { notificationRows } from '../queries.ts'

/** Due times are compared to the millisecond. */
const isDue = sql<boolean>`n.mail_at < ${now} + interval '1 millisecond'`

/** When the next mail is due; null while none is. */
export const nextMail = defineQuery('next_notification_mail', () =>
  query.selectNoFrom((select) =>
    select
      .selectFrom('notifications')
      .select('mail_at')
      .where('mail_at', 'is not', null)
      .orderBy('mail_at')
      .limit(1)
      .as('due_at'),
  ),
)
  .map(({ due_at }) => due_at)
  .single()

/** Members with notifications that are due to be mailed. */
export const listDueMembers = defineQuery(
  'members_of_due_mails',
  (v: { limit: number }) => sql<{ member_id: string }>`
    select distinct member_id from (select n.member_id from notifications n where ${isDue} order by n.mail_at limit ${v.limit}) as d`,
).map(({ member_id }) => member_id)

/**
 * Takes what is due out of the queue: of two who take it at once, one gets nothing. An hour without a mail begins, so what comes now
 * waits for its end.
 * @returns the ids
 */
export const takeDue = defineQuery(
  'take_due_notifications',
  (v: { member: string }) => sql<{ id: string }>`
    with locked as (select n.id from notifications n where n.member_id = ${v.member}::uuid and ${isDue} for update)
    update notifications n set mail_at = null from locked where n.id = locked.id returning n.id`,
).map(({ id }) => id)

/**
 * The claimed notifications, the oldest first, with what the member may read. A member who is not active gets no mail.
 */
export const listTaken = defineQuery('taken_notifications', (v: { ids: readonly string[] }) =>
  notificationRows()
    .select(['m.email', 'm.full_name'])
    .where('n.id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('m.status', '=', 'active')
    .where('m.deleted_at', 'is', null)
    .orderBy('n.id'),
)

/** Waiting notifications are mailed an hour after this mail, or with a later digest. */
export const noteMail = defineQuery(
  'note_notification_mail',
  (v: { member: string }) => sql<object>`
    insert into notification_preferences (id, last_mail_at)
    values (${v.member}::uuid, date_trunc('milliseconds', ${now}))
    on conflict (project_id, id) do update set last_mail_at = excluded.last_mail_at`,
)

/** A member who is there; undefined where the member is gone. */
export const findReader = defineQuery('reader_of_notifications', (v: { member: string }) =>
  query
    .selectFrom('members as m')
    .select('m.id')
    .where('m.id', '=', v.member)
    .where('m.deleted_at', 'is', null),
).first()
