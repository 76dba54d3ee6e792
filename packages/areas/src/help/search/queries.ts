import { sql } from 'kysely'
import { now, today } from '#platform/db/project-clock.ts'
import { type AnswerOf, defineQueries, defineQuery, deriveQuery, shapeAnswer } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { SEARCHED_LENGTH } from '#platform/search/marking.ts'
import { alike, found, MOST_MATCHES, type Sought, sought } from '#platform/search/search.ts'
import { ARTICLE } from '../articles/changes.ts'
import type { findArticle } from '../articles/queries.ts'
import { articlesIn, readable, toSummary } from '../articles/rows.ts'
import { audiencesOf } from '../audience.ts'
import { articleId } from '../ids.ts'

interface Values extends Sought {
  limit: number
  offset: number
  asked: string
}

/** What was found of an article: its text in the language in which it was found. */
export interface FoundArticle {
  id: string
  category_id: string | null
  slug: string
  title: string
  locale: string
  text: string
  total: number
}

// Not one of `defineList`, which asks for a page and for its total in two statements: each would search anew. Here one search
// answers the page, the total and the language of each hit, and decides what is noted of it. Pages and cursors are those of lists.

/** Searches of the first page are noted, by nobody, in the statement that answers them. */
const search = defineQueries('search_help', ({ noted }: { noted: boolean }) => (v: Values) => {
  const hits = sql`hits as materialized (
      select distinct on (id) id, locale, rank from ${found(ARTICLE, v)} as hit order by id, rank desc
    )`
  const note = noted
    ? sql`, noted as (
        insert into help_searches as s (locale, query, searches, without_result, day, last_at)
        select coalesce(${v.locale}::text, ''), ${v.asked}::text, 1, case when exists (select from hits) then 0 else 1 end, ${today}, ${now}
        on conflict (project_id, day, locale, query) do update set searches = s.searches + 1,
          without_result = s.without_result + excluded.without_result, last_at = ${now}
      )`
    : sql``
  return sql<FoundArticle | { id: null; total: number }>`
        with ${hits}${note}, page as (
          select * from hits order by rank desc, id desc limit ${v.limit} offset ${v.offset}
        )
        select page.id, a.category_id, a.slug, texts.title, page.locale, counted.total,
          left(texts.plain_text, ${sql.lit(SEARCHED_LENGTH)}) as text
        from (select count(*) as total from hits) counted
        left join page on true
        left join help_articles a on a.id = page.id
        left join lateral (
          select v.title, v.plain_text from help_article_versions v
            where v.article_id = a.id and v.version = a.version and a.locale = page.locale
          union all
          select t.title, t.plain_text from help_translations t where t.article_id = a.id and t.locale = page.locale
          limit 1
        ) texts on true
        order by page.rank desc, page.id desc`
})

/** What is noted of a search. */
const notedWords = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/gu, ' ').slice(0, 200)

/** What somebody looks for. */
interface Searching {
  readonly viewer: Viewer
  readonly q: string
  readonly locale?: string | undefined
  readonly limit: number
  readonly offset: number
}
/** One page of the articles that a reader finds, the best first, and how many there are. */
export const searchArticles = deriveQuery(({ viewer, q, locale, limit, offset }: Searching) =>
  shapeAnswer(
    search({ noted: offset === 0 })({
      ...sought(q, { audiences: audiencesOf(viewer), ...(locale !== undefined && { locale }) }),
      ...{ limit, offset, asked: notedWords(q) },
    }),
    (rows) => ({
      matches: Math.min(rows[0]?.total ?? 0, MOST_MATCHES + 1),
      articles: rows.filter((row): row is FoundArticle => row.id !== null),
    }),
  ),
)

interface RelatedValues extends Sought {
  id: string
  category: string | null
  labels: readonly string[]
  locales: readonly string[]
}

/** Related articles at the most. */
export const MOST_RELATED = 5
const CANDIDATES = 50

const related = defineQuery('related_articles', (v: RelatedValues) =>
  articlesIn(v)
    .innerJoin(
      sql<{ id: string; score: number }>`(
        select id, sum(score) as score from (
          select id, rank as score from ${alike(ARTICLE, v, CANDIDATES)} as hit
          union all
          (select n.id, 0.2 from help_articles n where n.category_id = ${v.category}::uuid and n.status = 'published'
            order by n.id desc limit ${sql.lit(CANDIDATES)})
          union all
          (select n.id, 0.5 * cardinality(array(select unnest(n.labels) intersect select unnest(${v.labels}::text[])))
            from help_articles n where n.status = 'published' and n.id = any (array(
              select h.article_id from help_article_facets h where h.facet = 'label' and h.value = any (${v.labels}::text[])))
            order by n.id desc limit ${sql.lit(CANDIDATES)})
        ) as each group by id
      )`.as('near'),
      'near.id',
      'a.id',
    )
    // No condition of an index: those that are near are looked up, and not looked for among all that are published.
    .where(sql<boolean>`a.id <> ${v.id}::uuid and coalesce(a.status) = 'published'`)
    .where(readable(v))
    .orderBy('near.score', 'desc')
    .orderBy('a.id', 'desc')
    .limit(MOST_RELATED),
)
/** Published articles with a title like this one’s, labels in common, or in its category: those that a reader may read. */
export const listRelated = deriveQuery(
  ({ viewer, article }: { viewer: Viewer; article: AnswerOf<typeof findArticle> }) =>
    related.map((row) => toSummary(row, viewer))({
      ...sought(article.title, { audiences: audiencesOf(viewer) }),
      id: article.id,
      category: article.category_id,
      labels: article.labels,
      locales: [article.locale],
    }),
)

interface Span {
  readonly days: number
  readonly limit: number
}
const since = (v: Span) => sql<string>`${today} - ${v.days}::int4`

/** What readers looked for in vain. */
export const listVainSearches = defineQuery('help_searches_without_result', (v: Span) =>
  query
    .selectFrom('help_searches')
    .select(['query', 'locale'])
    .select(sql<number>`sum(without_result)::int8`.as('searches'))
    .select(sql<string>`max(last_at)`.as('last_searched_at'))
    .where(sql<boolean>`day > ${since(v)}`)
    .where('without_result', '>', 0)
    .groupBy(['query', 'locale'])
    .orderBy('searches', 'desc')
    .orderBy('query')
    .limit(v.limit),
)

/** What did not help them. */
export const listLowVotes = defineQuery('help_articles_with_low_votes', (v: Span) =>
  query
    .selectFrom('help_articles')
    .select(['id as article_id', 'slug', 'title', 'helpful_count', 'unhelpful_count'])
    .where('unhelpful_count', '>', 0)
    .orderBy(sql`unhelpful_count::float8 / (helpful_count + unhelpful_count)`, 'desc')
    .orderBy('unhelpful_count', 'desc')
    .orderBy('id')
    .limit(v.limit),
).map((row) => ({ ...row, article_id: toId(articleId, row.article_id) }))

/** What they read. */
export const listMostRead = defineQuery('help_articles_by_views', (v: Span) =>
  query
    .selectFrom('help_views as w')
    .innerJoin('help_articles as a', 'a.id', 'w.article_id')
    .select(['a.id as article_id', 'a.slug', 'a.title'])
    .select(sql<number>`sum(w.views)::int8`.as('views'))
    .where(sql<boolean>`w.day > ${since(v)}`)
    .groupBy(['a.id', 'a.slug', 'a.title'])
    .orderBy('views', 'desc')
    .orderBy('a.id')
    .limit(v.limit),
).map((row) => ({ ...row, article_id: toId(articleId, row.article_id) }))
