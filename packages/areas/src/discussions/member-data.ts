import { sql } from 'kysely'
import { withNames } from '#areas/profiles/service.ts'
import { type People, type PersonalData, personalData } from '#platform/catalogue/personal-data.ts'
import { defineQuery } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { type Resource, toId } from '#platform/ids.ts'
import { appealId, caseId, commentId, discussionId, revisionId } from './ids.ts'

/** What a member writes stays, and points at a row that says nothing of them any more. */
const stays = async () => {}

/** A table whose rows belong to one thing and one member, and go with the member. */
function ofPair(
  table: 'discussion_members' | 'comment_likes',
  target: 'discussion_id' | 'comment_id',
  resource: Resource,
  columns: readonly string[],
): PersonalData {
  const page = defineQuery(
    `personal_${table}`,
    (v: { memberIds: readonly string[]; after: string | null; limit: number }) => sql<
      Record<string, unknown>
    >`select ${sql.join([target, ...columns].map((column) => sql.ref(column)))} from ${sql.table(table)}
      where member_id = any (${v.memberIds}::uuid[])
        and (${v.after}::uuid is null or ${sql.ref(target)} > ${v.after}::uuid)
      order by ${sql.ref(target)} limit ${v.limit}`,
  )
  const erase = defineQuery(
    `erase_${table}`,
    (v: { memberIds: readonly string[] }) =>
      sql`delete from ${sql.table(table)} where member_id = any (${v.memberIds}::uuid[])`,
  )
  return Object.freeze({
    table,
    list: async (ctx: Context, { memberIds }: People, after: string | null, limit: number) => {
      const rows = await page(ctx, { memberIds, after, limit })
      const idOf = (row: Record<string, unknown>) => String(row[target])
      const last = rows.at(-1)
      return {
        records: rows.map((row) => ({ ...row, [target]: toId(resource, idOf(row)) })),
        last: last === undefined ? null : idOf(last),
      }
    },
    erase,
  })
}

/** Discussions and comments stay; likes, subscriptions, reports, appeals and earlier versions of posts go. */
export const memberData = [
  withNames(
    personalData({
      table: 'discussions',
      member: 'author_id',
      columns: ['id', 'title', 'content', 'status', 'likes', 'created_at', 'edited_at'],
      ids: { id: discussionId },
      erase: stays,
    }),
  ),
  withNames(
    personalData({
      table: 'comments',
      member: 'author_id',
      columns: ['id', 'discussion_id', 'content', 'status', 'likes', 'created_at', 'edited_at'],
      ids: { id: commentId, discussion_id: discussionId },
      erase: stays,
    }),
  ),
  withNames(
    personalData({
      table: 'post_revisions',
      member: 'author_id',
      columns: ['id', 'discussion_id', 'comment_id', 'title', 'content', 'created_at'],
      ids: { id: revisionId, discussion_id: discussionId, comment_id: commentId },
    }),
  ),
  ofPair('discussion_members', 'discussion_id', discussionId, ['liked', 'subscription', 'read_up_to']),
  ofPair('comment_likes', 'comment_id', commentId, ['created_at']),
  personalData({
    table: 'appeals',
    member: 'member_id',
    columns: ['id', 'case_id', 'text', 'decision', 'reason', 'decided_at', 'created_at'],
    ids: { id: appealId, case_id: caseId },
  }),
  personalData({
    table: 'reports',
    member: 'member_id',
    columns: ['id', 'case_id', 'reason', 'note', 'was_right', 'created_at'],
    ids: { case_id: caseId },
  }),
]
