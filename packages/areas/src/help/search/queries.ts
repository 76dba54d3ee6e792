import { sql } from 'kysely'
import { now, today } from '#platform/db/project-clock.ts'
import { alike, found, MOST_MATCHES, type Sought, sought } from '#platform/db/search/search.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { ARTICLE } from '../articles/find.ts'
import { articlesIn, readable, summaryOf } from '../articles/queries.ts'
import type { Reader } from '../audience.ts'
import type { SummaryRow } from '../rows.ts'
import { marksOf, SNIPPET_LENGTH } from './snippet.ts'

/** Characters before the first word that was found. */
const BEFORE = 60

interface Values extends Sought {
  limit: number
  offset: number
  marks: readonly string[]
  asked: string
}

/** What was found of an article: where in its text, in the language in which it was found. */
export interface FoundArticle {
  id: string
  category_id: string | null
  slug: string
  title: string
  locale: string
  piece: string
  total: number
}

/** Searches of the first page are noted, by nobody, in the statement that answers them. */
const search = statements('search_help', ({ noted }: { noted: boolean }) => (v: Values) => {
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
  const position = sql`(select min(nullif(strpos(lower(texts.plain_text), mark), 0)) from unnest(${v.marks}::text[]) mark)`
  return {
    compile: () =>
      sql<FoundArticle | { id: null; total: number }>`
        with ${hits}${note}, page as (
          select * from hits order by rank desc, id desc limit ${v.limit} offset ${v.offset}
        )
        select page.id, a.category_id, a.slug, texts.title, page.locale, counted.total,
          substr(texts.plain_text, greatest(1, coalesce(${position}, 1) - ${sql.lit(BEFORE)}),
            ${sql.lit(SNIPPET_LENGTH)}) as piece
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
        order by page.rank desc, page.id desc`.compile(query),
  }
})

/** What is noted of a search. */
const notedWords = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/gu, ' ').slice(0, 200)

/** One page of the articles that a reader finds, the best first, and how many there are. */
export function searchArticles(
  ctx: Context,
  reader: Reader,
  { q, locale, limit, offset }: { q: string; locale?: string | undefined; limit: number; offset: number },
) {
  const values = {
    ...sought(q, { audiences: reader.audiences, ...(locale !== undefined && { locale }) }),
    limit,
    offset,
    marks: marksOf(q),
    asked: notedWords(q),
  }
  return ctx.tx.all(search({ noted: offset === 0 }), values).map((rows) => ({
    matches: Math.min(rows[0]?.total ?? 0, MOST_MATCHES + 1),
    articles: rows.filter((row): row is FoundArticle => row.id !== null),
  }))
}

interface RelatedValues extends Sought {
  id: string
  category: string | null
  labels: readonly string[]
  locales: readonly string[]
}

/** Articles that are told of beside another at the most. */
export const MOST_RELATED = 5
const CANDIDATES = 50

const related = statement('related_articles', (v: RelatedValues) =>
  articlesIn(v)
    .select(summaryOf)
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
export const listRelated = (ctx: Context, reader: Reader, article: SummaryRow) =>
  ctx.tx.all(related, {
    ...sought(article.title, { audiences: reader.audiences }),
    id: article.id,
    category: article.category_id,
    labels: article.labels,
    locales: [article.locale],
  })
