/** A forum, a feedback board and a help center of one project, as large as is asked for. */
import type pg from 'pg'
import type { Tenant } from '../data.ts'

/** How much there is of each. */
export interface Sizes {
  readonly discussions: number
  readonly comments: number
  /** Spread over the items, so that each has a hundred. */
  readonly votes: number
  readonly articles: number
}

const VOTES_OF_ONE = 100

/**
 * Loads it as the owner of the tables and without triggers, which would take hours, and writes the counters that they
 * would have kept. The project's members are there already.
 */
export async function loadCommunity(owner: pg.Client, { projectId }: Tenant, sizes: Sizes): Promise<void> {
  await owner.query("select set_config('app.project_id', $1, false)", [projectId])
  await owner.query("set session_replication_role = 'replica'")
  await owner.query(
    `create temp table people on commit preserve rows as
     select row_number() over (order by id) - 1 as n, id from members where project_id = $1 and status = 'active'`,
    [projectId],
  )
  await owner.query('analyze people')
  await loadDiscussions(owner, sizes)
  await loadFeedback(owner, sizes)
  await loadArticles(owner, sizes)
  await owner.query('drop table people, threads')
  await owner.query("set session_replication_role = 'origin'")
}

async function loadDiscussions(owner: pg.Client, { discussions, comments }: Sizes): Promise<void> {
  const each = Math.max(1, Math.round(comments / discussions))
  await owner.query(
    `insert into discussion_categories (id, slug, name, created_at, updated_at)
     select gen_random_uuid(), 'category-' || n, 'Category ' || n, now(), now() from generate_series(1, 10) n`,
  )
  await owner.query(
    `create temp table threads on commit preserve rows as
     select t.n, uuidv7(at - now()) as id, at, c.id as category_id, p.id as author_id
     from generate_series(1, ${discussions}) as t (n)
     join lateral (select now() - (${discussions} - t.n) * interval '1 minute' as at) made on true
     join (select id, row_number() over (order by id) - 1 as i from discussion_categories
       where project_id = app.current_project()) c on c.i = t.n % 10
     join people p on p.n = t.n % (select count(*) from people)`,
  )
  await owner.query(
    `insert into discussions (id, category_id, author_id, title, content, content_html, excerpt, likes, comment_count,
       last_activity_at, shown_at, created_at, updated_at)
     select id, category_id, author_id, 'How do you do word' || n % 5000 || '?', content, '<p>' || content || '</p>', content,
       n % 50, ${each}, at + interval '1 hour', at, at, at
     from threads, lateral (select repeat('I do it with word' || n % 5000 || ' and more. ', 8) as content) as written`,
  )
  await owner.query(
    `insert into discussion_counts (category_id, status, slot, discussions)
     select category_id, 'visible', 0, count(*) from threads group by 1`,
  )
  await owner.query(
    `insert into comments (id, discussion_id, author_id, content, content_html, excerpt, shown_at, created_at, updated_at)
     select uuidv7(at_time - now()), t.id, p.id, content, '<p>' || content || '</p>', content, at_time, at_time, at_time
     from threads t cross join generate_series(1, ${each}) i
     join people p on p.n = (t.n + i) % (select count(*) from people),
     lateral (select t.at + i * interval '1 hour' / ${each} as at_time,
       repeat('Mine is the same as yours. ', 4) as content) as written`,
  )
}

async function loadFeedback(owner: pg.Client, { votes }: Sizes): Promise<void> {
  const items = Math.max(1, Math.round(votes / VOTES_OF_ONE))
  await owner.query(
    `insert into feedback (id, type, title, message, visibility, vote_count, status_changed_at, created_at, updated_at)
     select uuidv7(), 'feature', 'Make word' || n || ' better', 'Please make it better', 'public', ${VOTES_OF_ONE}, now(), now(), now()
     from generate_series(1, ${items}) n`,
  )
  await owner.query(
    `insert into feedback_counts (state, type, visibility, slot, items) values ('new', 'feature', 'public', 0, ${items})`,
  )
  // Each item has the votes of other members than the one before it.
  await owner.query(
    `insert into feedback_votes (id, feedback_id, member_id, created_at)
     select gen_random_uuid(), f.id, p.id, now()
     from (select id, row_number() over (order by id) as n from feedback where project_id = app.current_project()) f
     cross join generate_series(1, least(${VOTES_OF_ONE}, (select count(*) from people))) i
     join people p on p.n = (f.n + i) % (select count(*) from people)`,
  )
}

/** Sixty words each, of which some are rare and some are in every article. */
async function loadArticles(owner: pg.Client, { articles }: Sizes): Promise<void> {
  // Five thousand words of the same length: none is the beginning of another one.
  await owner.query(
    `create or replace function app.bench_word(n bigint) returns text language sql immutable
       return 'word' || lpad((n % 5000)::text, 4, '0')`,
  )
  await owner.query(
    `create temp table written on commit preserve rows as
     select n, uuidv7() as id, 'How to change ' || app.bench_word(n) || ' and ' || app.bench_word(n * 7) as title,
       (select string_agg(app.bench_word(n * (i * i + 3) + i), ' ') from generate_series(1, 60) i) as text
     from generate_series(1, ${articles}) n`,
  )
  await owner.query(
    `insert into help_articles (id, slug, locale, title, content, content_html, plain_text, status, version, published_at,
       created_at, updated_at)
     select id, 'article-' || n, 'en', title, text, '<p>' || text || '</p>', text, 'published', 1, now(), now(), now() from written`,
  )
  await owner.query(
    `insert into help_article_versions (article_id, version, revision, title, content, content_html, plain_text, created_at)
     select id, 1, 1, title, text, '<p>' || text || '</p>', text, now() from written`,
  )
  await owner.query(
    `insert into help_article_counts (category_id, status, audience, slot, articles)
     values ('00000000-0000-0000-0000-000000000000', 'published', '{public}', 0, ${articles})`,
  )
  await owner.query(
    `insert into search_documents (kind, id, locale, audience, title, words)
     select 'article', id, 'en', '{public}', lower(title),
       setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', text), 'B') from written`,
  )
  await owner.query('drop table written')
}

const INDEXES = {
  search_documents_words: 'search_documents using gin (scope, words) with (gin_pending_list_limit = 256)',
  search_documents_titles:
    'search_documents using gin (scope, title gin_trgm_ops) with (gin_pending_list_limit = 256)',
  search_documents_spellings:
    'search_documents using gin (scope, spelling gin_trgm_ops) with (gin_pending_list_limit = 256)',
}

/** Does the loading without the indexes of words, and makes them when it is done: row by row they take ten times as long. */
export async function withoutWordIndexes(owner: pg.Client, load: () => Promise<void>): Promise<void> {
  for (const name of Object.keys(INDEXES)) await owner.query(`drop index ${name}`)
  await load()
  for (const [name, what] of Object.entries(INDEXES)) await owner.query(`create index ${name} on ${what}`)
}

/** Stored ids picked at random. */
export async function pick(owner: pg.Client, { projectId }: Tenant, sql: string): Promise<string[]> {
  const { rows } = await owner.query<{ id: string }>(`${sql} order by random() limit 2000`, [projectId])
  return rows.map(({ id }) => id)
}
