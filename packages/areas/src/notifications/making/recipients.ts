import { sql } from 'kysely'
import { defineQuery } from '#platform/db/query.ts'
import type { Context } from '#platform/db/tenant.ts'
import { parseId } from '#platform/ids.ts'
import {
  MOST_NOTIFIED,
  mentionedInHtml,
  mentionedIn as mentionedInText,
} from '#platform/markdown/mentions.ts'

// Whom events notify. Members who may not read what the event is about, and those who are not active, are left out.

/** Where a page of members begins. */
export interface Page {
  /** The last member of the page before; null for the first page. */
  readonly after: string | null
  readonly limit: number
}
interface Of {
  /** The stored id of what the event is about; null where it was none. */
  readonly id: string | null
}
interface Recipient {
  member_id: string
  target_id: string
  actor_id: string
}

const isThere = sql`m.status = 'active' and m.deleted_at is null`
const mayEnter = sql`(c.required_plans = '{}' or m.plan_id = any (c.required_plans) or m.role = any (p.moderator_roles))`
const onPage = ({ after, limit }: Page) =>
  sql`and (${after}::uuid is null or m.id > ${after}::uuid) order by m.id limit ${limit}`

/** Whom the first post of a discussion mentions. */
export const mentionedIn = defineQuery(
  'mentioned_in_discussion',
  (v: Of & Page) => sql<Recipient>`
    select m.id as member_id, d.id as target_id, d.author_id as actor_id
    from discussions d
    join discussion_categories c on c.id = d.category_id
    join projects p on p.id = d.project_id
    join members m on m.id = any (d.mentions)
    join discussion_members s on s.discussion_id = d.id and s.member_id = m.id
    where d.id = ${v.id}::uuid and d.status = 'visible' and m.id <> d.author_id and s.subscription <> 'off'
      and ${isThere} and ${mayEnter} ${onPage(v)}`,
)

/**
 * Members who take part in the discussion of a comment, or are mentioned in it. A subscriber is not notified of earlier
 * comments.
 */
export const readersOf = defineQuery(
  'readers_of_comment',
  (v: Of & Page) => sql<Recipient & { is_mentioned: boolean }>`
    select m.id as member_id, t.id as target_id, t.author_id as actor_id, m.id = any (t.mentions) as is_mentioned
    from comments t
    join discussions d on d.id = t.discussion_id
    join discussion_categories c on c.id = d.category_id
    join projects p on p.id = d.project_id
    join discussion_members s on s.discussion_id = d.id
    join members m on m.id = s.member_id
    where t.id = ${v.id}::uuid and t.status = 'visible' and d.status = 'visible' and m.id <> t.author_id
      and t.shown_at > s.told_up_to
      and (s.subscription = 'on' or s.subscription = 'mentioned' and m.id = any (t.mentions))
      and ${isThere} and ${mayEnter} ${onPage(v)}`,
)

/** Of two markings that are worked on at once, the second waits here and finds what the first has made. */
export const lockDiscussion = defineQuery(
  'lock_answered_discussion',
  (v: Of) => sql<{ id: string }>`select id from discussions where id = ${v.id}::uuid for no key update`,
)

/** Whose comment is the answer of a discussion, unless it is the author of the discussion. The author of the comment is notified once, however often it is marked. */
export const answererOf = defineQuery(
  'answerer_of_discussion',
  (v: Of) => sql<Recipient>`
    select m.id as member_id, t.id as target_id, d.author_id as actor_id
    from discussions d
    join comments t on t.id = d.answer_id
    join discussion_categories c on c.id = d.category_id
    join projects p on p.id = d.project_id
    join members m on m.id = t.author_id
    where d.id = ${v.id}::uuid and t.author_id <> d.author_id and ${isThere} and ${mayEnter}
      and not exists (select from notifications n where n.member_id = m.id and n.kind = 'answer' and n.target_id = t.id)`,
)

type ModeratedTarget = 'discussion' | 'comment' | 'feedback' | 'feedback_comment'
/** Whose post a moderator decided about, unless the decision answers an appeal, which has a notification of its own. */
export const caseOf = defineQuery(
  'author_of_moderated_post',
  (v: Of) => sql<{ member_id: string; target_id: string; target_type: ModeratedTarget }>`
    select a.author_id as member_id, a.id as target_id, a.target_type
    from moderation_cases k cross join lateral (
      select d.author_id, d.id, 'discussion' as target_type from discussions d
        where d.id = k.discussion_id and k.comment_id is null
      union all select t.author_id, t.id, 'comment' from comments t where t.id = k.comment_id
      union all select f.author_id, f.id, 'feedback' from feedback f
        where f.id = k.feedback_id and k.feedback_comment_id is null
      union all select n.author_id, n.id, 'feedback_comment' from feedback_comments n where n.id = k.feedback_comment_id) as a
    where k.id = ${v.id}::uuid and a.author_id is not null
      and not exists (select from appeals a where a.case_id = k.id and a.created_at <= k.decided_at)`,
)

/**
 * Voters of an item and of all that is merged into it, each with the item that they voted for first. So nobody reads of an
 * item that they were never shown.
 */
export const votersOf = defineQuery(
  'voters_of_feedback',
  (v: Of & Page) => sql<{ member_id: string; target_id: string }>`
    select m.id as member_id, (
      select w.feedback_id from feedback_votes w
      where w.member_id = m.id and w.feedback_id in (select app.feedback_downwards(${v.id}::uuid))
      order by w.id limit 1) as target_id
    from members m
    where m.id in (select w.member_id from feedback_votes w
        where w.feedback_id in (select app.feedback_downwards(${v.id}::uuid)))
      and ${isThere} ${onPage(v)}`,
)

interface Mentions {
  /** The stored ids of members. */
  readonly mentioned: readonly string[]
}

/** An item is read by its author, by moderators and, if it is public, by everybody; access.ts of feedback says the same. */
const mayReadItem = sql`(f.visibility = 'public' or f.visibility = 'private' and f.author_id = m.id
  or m.role = any (p.moderator_roles))`

const textOfItem = defineQuery(
  'text_of_feedback_that_notifies',
  (v: Of) => sql<{ text: string }>`
    select concat_ws(E'\n', title, message) as text from feedback where id = ${v.id}::uuid`,
).first()
const mentionedByItem = defineQuery(
  'mentioned_in_feedback',
  (v: Of & Mentions & Page) => sql<Recipient>`
    select m.id as member_id, f.id as target_id, f.author_id as actor_id
    from feedback f
    join projects p on p.id = f.project_id
    join members m on m.id = any (${v.mentioned}::uuid[])
    where f.id = ${v.id}::uuid and m.id is distinct from f.author_id and ${isThere} and ${mayReadItem} ${onPage(v)}`,
)

/** Whom an item of feedback mentions. @param id undefined for an event without one */
export async function mentionedInFeedback(ctx: Context, id: string | undefined, page: Page) {
  const item = await textOfItem(ctx, { id: id ?? null })
  const mentioned = toStored(mentionedInText(item?.text ?? ''))
  return mentioned.length === 0 ? [] : mentionedByItem(ctx, { id: id ?? null, mentioned, ...page })
}

const htmlOfComment = defineQuery(
  'text_of_feedback_comment_that_notifies',
  (v: Of) => sql<{ html: string }>`
    select content_html as html from feedback_comments where id = ${v.id}::uuid`,
).first()
const readersOfFeedbackComment = defineQuery(
  'readers_of_feedback_comment',
  (v: Of & Mentions & Page) => sql<Recipient & { is_mentioned: boolean; is_official: boolean }>`
    select m.id as member_id, t.id as target_id, t.author_id as actor_id, t.is_official,
      m.id = any (${v.mentioned}::uuid[]) as is_mentioned
    from feedback_comments t
    join feedback f on f.id = t.feedback_id
    join projects p on p.id = t.project_id
    cross join lateral (select f.author_id as id union select unnest(${v.mentioned}::uuid[])) as w
    join members m on m.id = w.id
    where t.id = ${v.id}::uuid and m.id is distinct from t.author_id and ${isThere} and ${mayReadItem}
      and (t.visibility = 'public' or m.role = any (p.moderator_roles)) ${onPage(v)}`,
)

/** The author of the item that a comment is about, and whom the comment mentions. @param id undefined for an event without one */
export async function readersOfFeedback(ctx: Context, id: string | undefined, page: Page) {
  const comment = await htmlOfComment(ctx, { id: id ?? null })
  const mentioned = toStored(mentionedInHtml(comment?.html ?? ''))
  return readersOfFeedbackComment(ctx, { id: id ?? null, mentioned, ...page })
}

/** The first members that a text mentions, by their stored ids. */
const toStored = (ids: readonly string[]): string[] =>
  [...new Set(ids)].slice(0, MOST_NOTIFIED).flatMap((id) => parseId('member', id) ?? [])
