import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineLookup, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { noticesOf } from '#platform/events/notify-streams.ts'
import type { Kind, StoredTarget } from '../kinds.ts'
import { isListed, mailTime } from '../preferences/queries.ts'
import { notificationCreated } from '../topics.ts'

/** An event that may notify somebody. */
export const findEvent = defineLookup('event_that_notifies', (v: { id: string }) =>
  query.selectFrom('events').select(['id', 'type', 'payload']).where('id', '=', v.id),
).first()

/** A notification of one member, as it is made. */
export interface NewNotification {
  readonly id: string
  readonly member_id: string
  readonly kind: Kind
  readonly target_type: StoredTarget
  readonly target_id: string
  readonly actor_id: string | null
  readonly detail: string | null
  readonly note: string | null
  /** It has a mail of its own. */
  readonly has_mail: boolean
}

const kind = sql<string>`r.kind`

/** The statement that adds notifications, and notifies streams of those that are listed. */
const notifying = (insert: ReturnType<typeof sql>) => sql<object>`
  with added as (${insert} returning id, in_product), notified as (
    ${noticesOf(sql.lit(notificationCreated.name), sql`(select id from added where in_product)`)}
  ) select from added`

/** New notifications with what their members' preferences say: those that are neither listed nor mailed are not made. */
const made = (rows: ReturnType<typeof sql>, cause: string) => sql`
  insert into notifications
    (id, member_id, kind, target_type, target_id, cause, actor_ids, detail, note, in_product, mail_at, created_at)
  select r.id, r.member_id, r.kind, r.target_type, r.target_id, ${cause}::uuid,
    case when r.actor_id is null then '{}'::uuid[] else array[r.actor_id] end, r.detail, r.note,
    w.in_product, w.mail_at, ${now}
  from ${rows} as r
  join members m on m.id = r.member_id and m.status = 'active' and m.deleted_at is null
  join projects p on p.id = m.project_id
  left join notification_preferences s on s.id = m.id
  cross join lateral (
    select ${isListed(kind)} as in_product, case when r.has_mail is not true then ${mailTime(kind)} end as mail_at) as w
  where (w.in_product or w.mail_at is not null)
    -- Of two members of whom one has muted the other, neither is notified of the other.
    and not exists (select from mutes u where u.member_id = r.member_id and u.muted_id = r.actor_id)
    and not exists (select from mutes u where u.member_id = r.actor_id and u.muted_id = r.member_id)`

/** Makes notifications. Members who were notified of the cause already are left out. @param v.rows NewNotification[] as JSON */
export const addNotifications = defineQuery('add_notifications', (v: { rows: string; cause: string }) => {
  const rows = sql`json_to_recordset(${v.rows}::json)`
  const columns = sql`(id uuid, member_id uuid, kind text, target_type text, target_id uuid, actor_id uuid, detail text, note text, has_mail boolean)`
  return notifying(sql`${made(sql`(select * from ${rows} as x ${columns})`, v.cause)}
    on conflict (project_id, member_id, cause) do nothing`)
})

/**
 * Adds a like to the unread notification of likes of the post, or makes one. A second like of the same member, who took the first
 * one back, adds nothing.
 */
export const addLike = defineQuery('add_like_notification', (v: NewNotification & { cause: string }) => {
  const row = sql`(select ${v.id}::uuid as id, ${v.member_id}::uuid as member_id, 'like'::text as kind,
      ${v.target_type}::text as target_type, ${v.target_id}::uuid as target_id, ${v.actor_id}::uuid as actor_id,
      null::text as detail, null::text as note, false as has_mail
    where not exists (select from notifications o where o.member_id = ${v.member_id}::uuid and o.kind = 'like'
      and o.target_id = ${v.target_id}::uuid and o.actor_ids @> array[${v.actor_id}::uuid]))`
  return notifying(sql`${made(row, v.cause)}
    on conflict (project_id, member_id, target_id) where kind = 'like' and read_at is null
    do update set actor_ids = excluded.actor_ids || notifications.actor_ids`)
})

/** Whether notifications are due to be mailed. */
export const isMailDue = defineQuery('notification_mail_is_due', () =>
  query.selectNoFrom(
    sql<boolean>`exists (select from notifications where mail_at < ${now} + interval '1 millisecond')`.as(
      'due',
    ),
  ),
)
  .map(({ due }) => due)
  .single()
