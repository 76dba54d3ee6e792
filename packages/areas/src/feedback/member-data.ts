import { sql } from 'kysely'
import { withNames } from '#areas/profiles/service.ts'
import { personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import { commentId, feedbackId, statusChangeId } from './ids.ts'

const forget = defineQuery(
  'forget_feedback_senders',
  (v: { memberIds: readonly string[]; emails: readonly string[] }) =>
    query
      .updateTable('feedback')
      .set({ email: null, metadata: sql`'{}'` })
      .where(
        // Each by its index: with `or`, all items would be read.
        sql<boolean>`id = any (array(select id from feedback where author_id = any (${v.memberIds}::uuid[])
          union select id from feedback where email_key = any (${v.emails}::text[])))`,
      ),
)

/** Posts stay, and point at an anonymized member. Votes are deleted, and count no more. */
const stays = async () => undefined

export const memberData = [
  withNames(
    personalData({
      table: 'feedback',
      member: 'author_id',
      email: 'email_key',
      columns: [
        ...(['id', 'type', 'title', 'message', 'email', 'author_id', 'metadata', 'visibility'] as const),
        ...(['status', 'created_at', 'updated_at'] as const),
      ],
      ids: { id: feedbackId, author_id: 'member' },
      erase: forget,
    }),
  ),
  personalData({
    table: 'feedback_votes',
    member: 'member_id',
    columns: ['id', 'feedback_id', 'created_at'],
    ids: { feedback_id: feedbackId },
  }),
  personalData({
    table: 'feedback_status_changes',
    member: 'member_id',
    columns: ['id', 'feedback_id', 'status', 'note', 'created_at'],
    ids: { id: statusChangeId, feedback_id: feedbackId },
    erase: stays,
  }),
  withNames(
    personalData({
      table: 'feedback_comments',
      member: 'author_id',
      columns: ['id', 'feedback_id', 'content', 'visibility', 'created_at'],
      ids: { id: commentId, feedback_id: feedbackId },
      erase: stays,
    }),
  ),
]
