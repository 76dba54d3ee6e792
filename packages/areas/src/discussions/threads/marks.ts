import { sql } from 'kysely'
import { now, thisMoment } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'

// What members have to do with a discussion: likes, mails, what they have read.

interface Mark {
  discussion: string
  member: string
}

const setLiked = statement('set_discussion_liked', (v: Mark & { liked: boolean }) =>
  query
    .insertInto('discussion_members')
    .values({ discussion_id: v.discussion, member_id: v.member, liked: v.liked, told_up_to: now })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'discussion_id', 'member_id'])
        .doUpdateSet({ liked: sql`excluded.liked` })
        .where(sql<boolean>`discussion_members.liked <> excluded.liked`),
    ),
)
const likesOf = statement('likes_of_discussion', (v: { discussion: string }) =>
  query.selectFrom('discussions').select('likes').where('id', '=', v.discussion),
)
/** Likes a discussion or not, and answers how many do. */
export async function likeThread(ctx: Context, mark: Mark, liked: boolean) {
  ctx.tx.all(setLiked, { ...mark, liked })
  const { likes } = await ctx.tx.single(likesOf, { discussion: mark.discussion })
  return { liked, likes }
}

const subscribe = statement('subscribe_to_discussion', (v: Mark & { subscription: string }) =>
  query
    .insertInto('discussion_members')
    .values({
      discussion_id: v.discussion,
      member_id: v.member,
      subscription: v.subscription,
      told_up_to: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'discussion_id', 'member_id']).doUpdateSet({
        subscription: sql`excluded.subscription`,
        // What was there before is no news.
        told_up_to: sql`case when discussion_members.subscription = excluded.subscription
          then discussion_members.told_up_to else ${now} end`,
      }),
    ),
)
/** A member's wish: mails of new comments, or none. */
export const setSubscription = (ctx: Context, mark: Mark, isOn: boolean) =>
  ctx.tx.run(subscribe, { ...mark, subscription: isOn ? 'on' : 'off' })

const takePart = statement('take_part_in_discussion', (v: Mark) =>
  query
    .insertInto('discussion_members')
    // The comment before it is of this moment, not of the transaction's beginning.
    .values({
      discussion_id: v.discussion,
      member_id: v.member,
      subscription: 'on',
      read_up_to: thisMoment,
      told_up_to: now,
    })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'discussion_id', 'member_id']).doUpdateSet({
        // Whoever wanted no mails wants none.
        subscription: sql`case when discussion_members.subscription = 'off' then 'off' else 'on' end`,
        read_up_to: sql`greatest(discussion_members.read_up_to, excluded.read_up_to)`,
      }),
    ),
)
/** Whoever writes gets mails of what others write, and has read what is there. */
export const takesPart = (ctx: Context, mark: Mark) => ctx.tx.defer(takePart, mark)

const mention = statement('mention_in_discussion', (v: { discussion: string; members: readonly string[] }) =>
  query
    .insertInto('discussion_members')
    .columns(['discussion_id', 'member_id', 'subscription', 'told_up_to'])
    .expression(
      // What mentions them is news, and was written at this moment.
      sql`select ${v.discussion}::uuid, m.id, 'mentioned', ${now} - interval '1 microsecond' from members m
        where m.id = any (${v.members}::uuid[]) and m.deleted_at is null`,
    )
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'discussion_id', 'member_id'])
        .doUpdateSet({ subscription: 'mentioned', told_up_to: sql`excluded.told_up_to` })
        .where('discussion_members.subscription', 'is', null),
    ),
)
/** Members who are mentioned are told so; ids that are nobody's are nobody. */
export function tellMentioned(ctx: Context, discussion: string, members: readonly string[]): void {
  if (members.length > 0) ctx.tx.defer(mention, { discussion, members })
}

const markRead = statement('mark_discussion_read', (v: Mark & { upTo: string }) =>
  query
    .insertInto('discussion_members')
    .values({
      discussion_id: v.discussion,
      member_id: v.member,
      read_up_to: sql`${v.upTo}::timestamptz`,
      told_up_to: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'discussion_id', 'member_id'])
        .doUpdateSet({ read_up_to: sql`excluded.read_up_to` })
        .where(sql<boolean>`discussion_members.read_up_to is null
          or discussion_members.read_up_to < excluded.read_up_to`),
    ),
)
/** What was written up to a moment is read. */
export const markThreadRead = (ctx: Context, mark: Mark, upTo: string) =>
  ctx.tx.defer(markRead, { ...mark, upTo })
