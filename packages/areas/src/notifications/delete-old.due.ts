import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { defineDueWork } from '#platform/jobs/schedules/due-work.ts'

/** How long notifications are kept. */
const KEPT = sql`interval '90 days'`
const AT_ONCE = 1_000

/** An hour's worth of notifications is deleted at once. */
const nextOld = defineQuery('next_old_notification', () =>
  query.selectNoFrom(
    sql<string | null>`(select date_trunc('hour', created_at) + ${KEPT} + interval '1 hour'
      from notifications order by created_at limit 1)`.as('due_at'),
  ),
)
  .map(({ due_at }) => due_at)
  .single()

const deleteOld = defineQuery(
  'delete_old_notifications',
  (v: { limit: number }) => sql<object>`
    delete from notifications where id in (
      select id from notifications where created_at < date_trunc('hour', ${now}) - ${KEPT} order by created_at limit ${v.limit})`,
)
const deleteOldMessages = defineQuery(
  'delete_old_notification_messages',
  () => sql<object>`
    delete from notification_messages s where s.created_at < date_trunc('hour', ${now}) - ${KEPT}
      and not exists (select from notifications n where n.target_type = 'message' and n.target_id = s.id)`,
)

/** Deletes notifications that are older than 90 days, and the messages that nobody has any more. */
export const deleteOldNotifications = defineDueWork({
  name: 'notifications.delete-old',
  next: nextOld,
  workOff: (run) =>
    run.write(async (ctx) => {
      await deleteOld(ctx, { limit: AT_ONCE })
      await deleteOldMessages(ctx)
    }),
})
