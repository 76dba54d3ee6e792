/** The statements of the measured endpoints as they are without row-level security: each names its project. */
const THREAD = `d.id, d.title, d.content, d.content_html, d.author_id, d.category_id, d.attachments, d.mentions, d.status,
  d.is_pinned, d.is_locked, d.likes, d.comment_count, d.last_activity_at, d.digest_due_at, d.created_at, d.updated_at,
  d.edited_at, d.answer_id, c.slug as category, c.required_plans, c.moderated`
const COMMENT = `t.id, t.discussion_id, t.parent_id, t.author_id, t.content, t.content_html, t.attachments, t.mentions,
  t.status, t.likes, t.reply_count, t.created_at, t.updated_at, t.edited_at`
const THREADS = `discussions d join discussion_categories c on c.project_id = d.project_id and c.id = d.category_id`

export const LIST = {
  name: 'list',
  text: `select ${THREAD} from ${THREADS} where d.project_id = $1 and d.status = 'visible'
    order by d.is_pinned desc, d.last_activity_at desc, d.id desc limit $2`,
}
export const LIST_TOTAL = {
  name: 'list_total',
  text: `select coalesce(sum(discussions), 0)::int8 as total from discussion_counts where project_id = $1 and status = 'visible'`,
}
export const ONE_THREAD = {
  name: 'thread',
  text: `select ${THREAD} from ${THREADS} where d.project_id = $1 and d.id = $2`,
}
export const COMMENTS = {
  name: 'comments',
  text: `select ${COMMENT} from comments t where t.project_id = $1 and t.id = any (array(
      with upper as materialized (select u.id from comments u where u.project_id = $1 and u.discussion_id = $2
        and u.parent_id is null order by u.created_at, u.id limit $3)
      select id from upper
      union all
      select r.id from upper cross join lateral (select r.id from comments r where r.project_id = $1
        and r.discussion_id = $2 and r.parent_id = upper.id order by r.created_at, r.id limit 20) r)) order by t.created_at, t.id`,
}
export const COMMENTS_TOTAL = {
  name: 'comments_total',
  text: `select count(*) as total from comments where project_id = $1 and discussion_id = $2 and parent_id is null`,
}
/** The first page of a search, whose last word may go on, and which is noted as ours is. */
export const SEARCH = {
  name: 'search',
  text: `with asked as materialized (
      select (websearch_to_tsquery('english', $2)::text || ':*')::tsquery as query
    ), hits as materialized (
      select s.id, s.locale, ts_rank(s.words, asked.query) as rank from asked, search_documents s
      where s.scope = 'article ' || ($1::uuid)::text and s.words @@ asked.query
        and s.audience && '{public}' limit 10001
    ), noted as (
      insert into help_searches as n (project_id, locale, query, searches, without_result, day, last_at)
      values ($1, '', $2, 1, 0, current_date, now())
      on conflict (project_id, day, locale, query) do update set searches = n.searches + 1, last_at = now()
    ), page as (select * from hits order by rank desc, id desc limit $3)
    select page.id, a.category_id, a.slug, v.title, page.locale, (select count(*) from hits) as total,
      substr(v.plain_text, greatest(1, coalesce(nullif(strpos(lower(v.plain_text), $2), 0), 1) - 60), 280) as piece
    from page join help_articles a on a.project_id = $1 and a.id = page.id
    join help_article_versions v on v.project_id = $1 and v.article_id = a.id and v.version = a.version
    order by page.rank desc, page.id desc`,
}
export const MEMBER = {
  name: 'member',
  text: `select id, status, role, plan_id from members where project_id = $1 and id = $2 and deleted_at is null`,
}
export const ITEM = {
  name: 'item',
  text: 'select id, visibility, author_id from feedback where project_id = $1 and id = $2',
}
export const VOTE = {
  name: 'vote',
  text: `insert into feedback_votes (project_id, id, feedback_id, member_id, created_at) values ($1, $2, $3, $4, now())
    on conflict (project_id, feedback_id, member_id) do nothing`,
}
export const VOTES = {
  name: 'votes',
  text: 'select vote_count from feedback where project_id = $1 and id = $2',
}
export const LOCK_THREAD = { name: 'lock_thread', text: `${ONE_THREAD.text} for no key update of d` }
export const INSERT_COMMENT = {
  name: 'insert_comment',
  text: `insert into comments (project_id, id, discussion_id, author_id, content, content_html, excerpt, shown_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $5, clock_timestamp(), clock_timestamp(), now()) returning id, created_at`,
}
export const TAKE_PART = {
  name: 'take_part',
  text: `insert into discussion_members as m (project_id, discussion_id, member_id, subscription, read_up_to, told_up_to)
    values ($1, $2, $3, 'on', clock_timestamp(), now()) on conflict (project_id, discussion_id, member_id)
    do update set subscription = 'on', read_up_to = excluded.read_up_to`,
}
