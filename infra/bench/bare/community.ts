import { newUuid } from '#platform/ids.ts'
import { render } from '#platform/markdown/render.ts'
import type { Bare } from './bare.ts'

/** The statements of the measured endpoints as they are without row-level security: each names its project. */
const THREAD = `d.id, d.title, d.content, d.content_html, d.author_id, d.category_id, d.attachments, d.mentions, d.status,
  d.is_pinned, d.is_locked, d.likes, d.comment_count, d.last_activity_at, d.created_at, d.updated_at,
  d.edited_at, d.answer_id, c.slug as category, c.required_plans, c.moderated`
const COMMENT = `t.id, t.discussion_id, t.parent_id, t.author_id, t.content, t.content_html, t.attachments, t.mentions,
  t.status, t.likes, t.reply_count, t.created_at, t.updated_at, t.edited_at`
const THREADS = `discussions d join discussion_categories c on c.project_id = d.project_id and c.id = d.category_id`

const LIST = {
  name: 'list',
  text: `select ${THREAD} from ${THREADS} where d.project_id = $1 and d.status = 'visible'
    order by d.is_pinned desc, d.last_activity_at desc, d.id desc limit $2`,
}
const LIST_TOTAL = {
  name: 'list_total',
  text: `select coalesce(sum(discussions), 0)::int8 as total from discussion_counts where project_id = $1 and status = 'visible'`,
}
const ONE_THREAD = {
  name: 'thread',
  text: `select ${THREAD} from ${THREADS} where d.project_id = $1 and d.id = $2`,
}
const COMMENTS = {
  name: 'comments',
  text: `select ${COMMENT} from comments t where t.project_id = $1 and t.id = any (array(
      with upper as materialized (select u.id from comments u where u.project_id = $1 and u.discussion_id = $2
        and u.parent_id is null order by u.created_at, u.id limit $3)
      select id from upper
      union all
      select r.id from upper cross join lateral (select r.id from comments r where r.project_id = $1
        and r.discussion_id = $2 and r.parent_id = upper.id order by r.created_at, r.id limit 20) r)) order by t.created_at, t.id`,
}
const COMMENTS_TOTAL = {
  name: 'comments_total',
  text: `select count(*) as total from comments where project_id = $1 and discussion_id = $2 and parent_id is null`,
}
/** The first page of a search, whose last word may go on, and which is noted as ours is. */
const SEARCH = {
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
const MEMBER = {
  name: 'member',
  text: `select id, status, role, plan_id from members where project_id = $1 and id = $2 and deleted_at is null`,
}
const ITEM = {
  name: 'item',
  text: 'select id, visibility, author_id from feedback where project_id = $1 and id = $2',
}
const VOTE = {
  name: 'vote',
  text: `insert into feedback_votes (project_id, id, feedback_id, member_id, created_at) values ($1, $2, $3, $4, now())
    on conflict (project_id, feedback_id, member_id) do nothing`,
}
const VOTES = {
  name: 'votes',
  text: 'select vote_count from feedback where project_id = $1 and id = $2',
}
const LOCK_THREAD = { name: 'lock_thread', text: `${ONE_THREAD.text} for no key update of d` }
const INSERT_COMMENT = {
  name: 'insert_comment',
  text: `insert into comments (project_id, id, discussion_id, author_id, content, content_html, excerpt, shown_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $5, clock_timestamp(), clock_timestamp(), now()) returning id, created_at`,
}
const TAKE_PART = {
  name: 'take_part',
  text: `insert into discussion_members as m (project_id, discussion_id, member_id, subscription, read_up_to, told_up_to)
    values ($1, $2, $3, 'on', clock_timestamp(), now()) on conflict (project_id, discussion_id, member_id)
    do update set subscription = 'on', read_up_to = excluded.read_up_to`,
}

type Body = { content: string; author_id: string }

export function communityRoutes({ api, ask, within }: Bare): void {
  api.get('/discussions', async () => {
    const [page, total] = await Promise.all([ask(LIST, 21), ask(LIST_TOTAL)])
    return { success: true, data: page.rows.slice(0, 20), total: total.rows[0].total }
  })

  api.get<{ Params: { id: string } }>('/discussions/:id/comments', async ({ params: { id } }) => {
    const [thread, page, total] = await Promise.all([
      ask(ONE_THREAD, id),
      ask(COMMENTS, id, 21),
      ask(COMMENTS_TOTAL, id),
    ])
    return { success: thread.rows.length === 1, data: page.rows.slice(0, 20), total: total.rows[0].total }
  })

  api.get<{ Querystring: { q: string } }>('/help/search', async ({ query }) => {
    const { rows } = await ask(SEARCH, query.q, 20)
    return { success: true, data: rows }
  })

  api.put<{ Params: { id: string } }>('/feedback/:id/vote', async ({ params: { id }, headers }) => {
    const member = headers['x-user-id']
    const votes = await within(async (ask) => {
      await ask(ITEM, id)
      await ask(MEMBER, member)
      await ask(VOTE, newUuid(), id, member)
      return ask(VOTES, id)
    })
    return { success: true, data: { voted: true, vote_count: votes.rows[0].vote_count } }
  })

  api.post<{ Params: { id: string }; Body: Body }>('/discussions/:id/comments', async (request, reply) => {
    const { content, author_id } = request.body
    const { id } = request.params
    const rendered = render({ typed: content, keepsLabels: false })
    const html = typeof rendered === 'string' ? '' : rendered.html
    const comment = await within(async (ask) => {
      await ask(LOCK_THREAD, id)
      await ask(MEMBER, author_id)
      const { rows } = await ask(INSERT_COMMENT, newUuid(), id, author_id, content, html)
      await ask(TAKE_PART, id, author_id)
      return rows[0]
    })
    const whole = { ...comment, discussion_id: id, content, author_id }
    return reply.code(201).send({ success: true, comment: whole })
  })
}
