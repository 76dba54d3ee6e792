import { sql } from 'kysely'
import { now, thisMoment } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Mark } from '../threads/marks.ts'

/** Posts that one mail shows; the rest is counted. */
const SHOWN = 5

/** New posts, and the first of them. */
interface NewPosts {
  posts: number
  /** The stored ids of their authors, and excerpts as they are stored. */
  shown: { author_id: string; excerpt: string }[]
}

/** What was asked for is at work: what comes from now on asks for another. */
export const clearDigest = defineQuery('clear_digest_due', (v: { id: string }) =>
  query
    .updateTable('discussions')
    .set({ digest_due_at: null })
    .where('id', '=', v.id)
    .returning([
      'title',
      sql<string | null>`(select p.discussion_url from projects p where p.id = discussions.project_id)`.as(
        'url',
      ),
    ]),
).first()

/** Members on one of the plans of the category `c`, and moderators: access.ts says the same. */
const mayEnter = sql<boolean>`(c.required_plans = '{}' or p.plan_id = any (c.required_plans)
  or p.role = any (project.moderator_roles))`

/**
 * Who wants to know what is new: members who can enter the category by now, and of the posts those that are there by
 * now. What was removed, waits for a moderator or is gated notifies nobody.
 */
export const newsOf = defineQuery('discussion_news', (v: { id: string; limit: number }) => {
  const posts = sql<{ author_id: string; excerpt: string; at: string }>`(
    select t.author_id, t.excerpt, t.shown_at as at from comments t
      where t.discussion_id = d.id and t.status = 'visible' and t.shown_at > m.told_up_to and t.author_id <> m.member_id
        and (m.subscription = 'on' or t.mentions @> array[m.member_id])
    union all
    select d.author_id, d.excerpt, d.shown_at
      where d.shown_at > m.told_up_to and d.author_id <> m.member_id and d.mentions @> array[m.member_id])`
  return query
    .selectFrom('discussion_members as m')
    .innerJoin('discussions as d', 'd.id', 'm.discussion_id')
    .innerJoin('discussion_categories as c', 'c.id', 'd.category_id')
    .innerJoin('members as p', 'p.id', 'm.member_id')
    .innerJoin('projects as project', 'project.id', 'm.project_id')
    .innerJoinLateral(
      sql<NewPosts>`(
        select count(*)::int4 as posts, (select jsonb_agg(jsonb_build_object('author_id', s.author_id, 'excerpt', s.excerpt) order by s.at)
          from (select * from ${posts} n order by n.at limit ${sql.lit(SHOWN)}) s) as shown
        from ${posts} n)`.as('new'),
      (on) => on.onTrue(),
    )
    .select(['m.member_id', 'p.email', 'p.full_name', 'new.posts', 'new.shown'])
    .select(
      sql<string | null>`case when m.last_mail_at > ${now} - interval '1 hour'
        then m.last_mail_at + interval '1 hour' end`.as('wait_until'),
    )
    .where('d.id', '=', v.id)
    .where('d.status', '=', 'visible')
    .where('m.subscription', 'in', ['on', 'mentioned'])
    .where('p.status', '=', 'active')
    .where('p.deleted_at', 'is', null)
    .where(mayEnter)
    .where('new.posts', '>', 0)
    .orderBy(sql`m.last_mail_at nulls first`)
    .limit(v.limit)
})
/** What a member has not been notified yet. */
export type News = AnswerOf<typeof newsOf>[number]

/** Due times are compared to the millisecond. */
const toTheMillisecond = sql<string>`date_trunc('milliseconds', ${now})`

/** These know all that is there now. The discussion is locked, so that nothing came in between. */
export const markNotified = defineQuery(
  'mark_discussion_notified',
  (v: { id: string; members: readonly string[] }) =>
    query
      .updateTable('discussion_members')
      .set({ told_up_to: thisMoment, last_mail_at: toTheMillisecond })
      .where('discussion_id', '=', v.id)
      .where('member_id', '=', sql<string>`any (${v.members}::uuid[])`),
)

/** Notes when those who wait are notified. */
export const notifyLater = defineQuery('tell_later', (v: { id: string; due: string }) =>
  query
    .updateTable('discussions')
    .set({ digest_due_at: sql`${v.due}::timestamptz` })
    .where('id', '=', v.id),
)

/** When the next subscribers are notified; null where nobody waits. */
export const nextDigest = defineQuery('next_digest', () =>
  query.selectNoFrom((select) =>
    select
      .selectFrom('discussions')
      .select('digest_due_at')
      .where('digest_due_at', 'is not', null)
      .orderBy('digest_due_at')
      .limit(1)
      .as('due_at'),
  ),
)
  .map(({ due_at }) => due_at)
  .single()

/** Discussions whose subscribers are notified by now. */
export const listDueDigests = defineQuery('due_digests', (v: { limit: number }) =>
  query
    .selectFrom('discussions')
    .select('id')
    .where('digest_due_at', '<', sql<string>`${now} + interval '1 millisecond'`)
    .orderBy('digest_due_at')
    .limit(v.limit),
)

/**
 * What a link to unsubscribe is about; undefined where the discussion or the member is gone. The title is null where
 * the member may not see it any more.
 */
export const findSubscribed = defineQuery('subscribed_discussion', (v: Mark) =>
  query
    .selectFrom('discussions as d')
    .innerJoin('discussion_categories as c', 'c.id', 'd.category_id')
    .innerJoin('members as p', (on) => on.on('p.id', '=', sql<string>`${v.member_id}::uuid`))
    .innerJoin('projects as project', 'project.id', 'd.project_id')
    .select(sql<string | null>`case when d.status = 'visible' and ${mayEnter} then d.title end`.as('title'))
    .select('project.name as project')
    .where('d.id', '=', v.discussion_id)
    .where('p.deleted_at', 'is', null),
).first()
