import { sql } from 'kysely'
import { now, thisMoment } from '#platform/db/project-clock.ts'
import { defineQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

// A member's likes, mails and read position of a discussion. `told_up_to` says up to which post a member was notified. The name
// stays, because a rename would break servers of the version before.

export interface Mark {
  readonly discussion_id: string
  readonly member_id: string
}
const KEY = ['project_id', 'discussion_id', 'member_id'] as const

const like = defineQuery('like_discussion', (v: Mark) =>
  query
    .insertInto('discussion_members')
    .values({ ...pick(v, 'discussion_id', 'member_id'), liked: true, told_up_to: now })
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet({ liked: true }).where('discussion_members.liked', '=', false),
    )
    .returning('liked'),
).first()
const unlike = defineQuery('unlike_discussion', (v: Mark) =>
  query
    .updateTable('discussion_members')
    .set({ liked: false })
    .where('discussion_id', '=', v.discussion_id)
    .where('member_id', '=', v.member_id)
    .where('liked', '=', true)
    .returning('liked'),
).first()
const likesOf = defineQuery('likes_of_discussion', (v: { discussion_id: string }) =>
  query.selectFrom('discussions').select('likes').where('id', '=', v.discussion_id),
).single()
/** Likes a discussion or not. @returns how many do, and whether that has changed */
export async function likeThread(ctx: Context, mark: Mark, liked: boolean) {
  const changed = (liked ? like : unlike)(ctx, mark)
  const { likes } = await likesOf(ctx, mark)
  return { likes: { liked, likes }, isChanged: (await changed) !== undefined }
}

/** A member's wish: mails of new comments (`on`), or none (`off`). */
export const setSubscription = defineQuery(
  'subscribe_to_discussion',
  (v: Mark & { subscription: 'on' | 'off' }) =>
    query
      .insertInto('discussion_members')
      .values({ ...pick(v, 'discussion_id', 'member_id', 'subscription'), told_up_to: now })
      .onConflict((conflict) =>
        conflict.columns(KEY).doUpdateSet({
          subscription: sql`excluded.subscription`,
          // Earlier posts are not announced.
          told_up_to: sql`case when discussion_members.subscription = excluded.subscription
            then discussion_members.told_up_to else ${now} end`,
        }),
      ),
)

/** A writer subscribes to the discussion, and has read everything up to now. */
export const takePart = defineQuery('take_part_in_discussion', (v: Mark) =>
  query
    .insertInto('discussion_members')
    .values({
      ...pick(v, 'discussion_id', 'member_id'),
      subscription: 'on',
      // The comment before it is of this moment, not of the transaction's beginning.
      read_up_to: thisMoment,
      told_up_to: now,
    })
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet({
        // Whoever wanted no mails wants none.
        subscription: sql`case when discussion_members.subscription = 'off' then 'off' else 'on' end`,
        read_up_to: sql`greatest(discussion_members.read_up_to, excluded.read_up_to)`,
      }),
    ),
)

const mention = defineQuery(
  'mention_in_discussion',
  (v: { discussion_id: string; members: readonly string[] }) =>
    query
      .insertInto('discussion_members')
      .columns(['discussion_id', 'member_id', 'subscription', 'told_up_to'])
      .expression(
        // The post that mentions them was written at this moment, and is announced.
        sql`select ${v.discussion_id}::uuid, m.id, 'mentioned', ${now} - interval '1 microsecond' from members m
          where m.id = any (${v.members}::uuid[]) and m.deleted_at is null`,
      )
      .onConflict((conflict) =>
        conflict
          .columns(KEY)
          .doUpdateSet({ subscription: 'mentioned', told_up_to: sql`excluded.told_up_to` })
          .where('discussion_members.subscription', 'is', null),
      ),
)
/** Members who are mentioned are notified so; ids that are nobody's are nobody. */
export function notifyMentioned(ctx: Context, discussion_id: string, members: readonly string[]): void {
  if (members.length > 0) mention(ctx, { discussion_id, members })
}

/** Marks everything as read that was written up to a moment. */
export const markThreadRead = defineQuery('mark_discussion_read', (v: Mark & { read_up_to: string }) =>
  query
    .insertInto('discussion_members')
    .values({
      ...pick(v, 'discussion_id', 'member_id'),
      read_up_to: sql`${v.read_up_to}::timestamptz`,
      told_up_to: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet({ read_up_to: sql`excluded.read_up_to` })
        .where(sql<boolean>`discussion_members.read_up_to is null
          or discussion_members.read_up_to < excluded.read_up_to`),
    ),
)
