import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { invalidField } from '#platform/errors.ts'
import { toId } from '#platform/ids.ts'
import { messageId } from '../ids.ts'
import type { Message } from '../schema.ts'

/** @throws ApiError 422 for a plan that does not exist */
export const insertMessage = defineQuery(
  'insert_notification_message',
  (v: { id: string; text: string; url: string | null; plan_id: string | null }) =>
    query
      .insertInto('notification_messages')
      .values({ ...pick(v, 'id', 'text', 'url', 'plan_id'), created_at: now })
      .returning(['id', 'text', 'url', 'created_at']),
  {
    notification_messages_plan_fkey: (cause) =>
      invalidField('plan_id', 'exists', 'is not a plan of this project', cause),
  },
)
  .map((row): Message => ({ ...row, id: toId(messageId, row.id) }))
  .single()

/** Those of the ids that members have. */
export const listMembers = defineQuery('members_of_message', (v: { ids: readonly string[] }) =>
  query
    .selectFrom('members')
    .select('id')
    .where('id', '=', sql<string>`any (${v.ids}::uuid[])`)
    .where('deleted_at', 'is', null),
).map(({ id }) => id)

/** Active members who have the plan of a message, in the order of ids. */
export const listPlanMembers = defineQuery(
  'plan_members_of_message',
  (v: { message: string; after: string | null; limit: number }) =>
    query
      .selectFrom('members as m')
      .innerJoin('notification_messages as s', 's.plan_id', 'm.plan_id')
      .select('m.id')
      .where('s.id', '=', v.message)
      .where('m.status', '=', 'active')
      .where('m.deleted_at', 'is', null)
      .where(sql<boolean>`(${v.after}::uuid is null or m.id > ${v.after}::uuid)`)
      .orderBy('m.id')
      .limit(v.limit),
).map(({ id }) => id)
