import { type RawBuilder, sql } from 'kysely'
import { CUT_MENTION } from '#platform/lists/fit-page.ts'

/** What a notification is about, as its member may see it at this moment. */
export interface About {
  title: string | null
  /** The discussion of a comment, or the item of a comment on feedback. */
  thread_id: string | null
  /** The words of a post, or of a message. Those of a comment on feedback are the beginning of its HTML. */
  words: string | null
  /** The address of a message. */
  link: string | null
}

/** Members on one of the plans of the category `c`, and moderators; access.ts of discussions says the same. */
const mayEnter = sql`(c.required_plans = '{}' or m.plan_id = any (c.required_plans) or m.role = any (p.moderator_roles))`

/** An item is read by its author, by moderators and, if it is public, by everybody; access.ts of feedback says the same. */
const mayReadItem = sql`(f.visibility = 'public' or f.visibility = 'private' and f.author_id = n.member_id
  or m.role = any (p.moderator_roles))`

/** Items without a title are called by the beginning of their message. */
const titleOfItem = sql`coalesce(f.title, regexp_replace(left(split_part(f.message, E'\\n', 1), 120), ${CUT_MENTION}, ''))`

/** Notifications of likes are there while one of the likes is. @param likes those of the post, `l` */
const stillLiked = (likes: RawBuilder<unknown>) =>
  sql`(n.kind <> 'like' or exists (select from ${likes} and l.member_id = any (n.actor_ids)))`
const likesOfDiscussion = sql`discussion_members l where l.project_id = n.project_id and l.discussion_id = n.target_id and l.liked`
const likesOfComment = sql`comment_likes l where l.project_id = n.project_id and l.comment_id = n.target_id`

/** The members who did what the notification `n` says, the last first. Likes that were taken back are left out. */
export const actorsOf = sql<{ ids: string[] }>`(
  select case when n.kind <> 'like' then n.actor_ids else array(
    select a.id from unnest(n.actor_ids) with ordinality as a (id, place)
    where exists (select from ${likesOfDiscussion} and l.member_id = a.id)
      or exists (select from ${likesOfComment} and l.member_id = a.id)
    order by a.place) end as ids
)`

/**
 * What the notification `n` of the member `m` of the project `p` is about: one row, and none where the member may not
 * read it. So a notification is listed, counted and mailed only while its member may read what it is about. The author of a post
 * that was removed may still read that it was.
 */
export const about: RawBuilder<About> = sql<About>`(
  select d.title, d.id as thread_id, d.excerpt as words, null::text as link
    from discussions d join discussion_categories c on c.project_id = d.project_id and c.id = d.category_id
    where n.target_type = 'discussion' and d.project_id = n.project_id and d.id = n.target_id and ${mayEnter}
      and (d.status = 'visible' or n.kind = 'moderation' and d.author_id = n.member_id)
      and ${stillLiked(likesOfDiscussion)}
  union all
  select d.title, d.id, t.excerpt, null
    from comments t join discussions d on d.project_id = t.project_id and d.id = t.discussion_id
    join discussion_categories c on c.project_id = d.project_id and c.id = d.category_id
    where n.target_type = 'comment' and t.project_id = n.project_id and t.id = n.target_id and ${mayEnter}
      and d.status = 'visible' and (t.status = 'visible' or n.kind = 'moderation' and t.author_id = n.member_id)
      and ${stillLiked(likesOfComment)}
  union all
  select ${titleOfItem}, null,
      case when f.title is not null then regexp_replace(left(f.message, 600), ${CUT_MENTION}, '') end, null
    from feedback f
    where n.target_type = 'feedback' and f.project_id = n.project_id and f.id = n.target_id
      and (${mayReadItem} or n.kind = 'moderation' and f.author_id = n.member_id)
  union all
  select ${titleOfItem}, f.id, left(t.content_html, 4000), null
    from feedback_comments t join feedback f on f.project_id = t.project_id and f.id = t.feedback_id
    where n.target_type = 'feedback_comment' and t.project_id = n.project_id and t.id = n.target_id and ${mayReadItem}
      and (t.visibility = 'public' or m.role = any (p.moderator_roles)
        or n.kind = 'moderation' and t.author_id = n.member_id)
  union all
  select o.number, null, null, null
    from orders o
    where n.target_type = 'order' and o.project_id = n.project_id and o.id = n.target_id and o.member_id = n.member_id
  union all
  select k.title, null, null, null
    from courses k
    where n.target_type = 'course' and k.project_id = n.project_id and k.id = n.target_id
      and exists (select from enrollments e where e.project_id = k.project_id and e.course_id = k.id
        and e.member_id = n.member_id and e.status <> 'canceled')
  union all
  select x.course_title, null, null, null
    from certificates x
    where n.target_type = 'certificate' and x.project_id = n.project_id and x.id = n.target_id
      and x.member_id = n.member_id
  union all
  select null, null, null, null
    where n.target_type = 'member'
  union all
  select null, null, s.text, s.url
    from notification_messages s
    where n.target_type = 'message' and s.project_id = n.project_id and s.id = n.target_id
)`
