import { type InferResult, sql } from 'kysely'
import { publishedPlans } from '#areas/plans/service.ts'
import { query } from '#platform/db/statement.ts'
import type { Viewer } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { articleId, categoryId } from '../ids.ts'
import type { Article, ArticleSummary } from '../schema.ts'

/**
 * Articles as they are read: the live version, of an article without one its draft, or the translation into the first
 * of the wanted languages that there is.
 */
export const articlesIn = ({ locales }: { locales: unknown }) =>
  query
    .selectFrom('help_articles as a')
    .leftJoin('help_article_versions as v', (on) =>
      on.onRef('v.article_id', '=', 'a.id').onRef('v.version', '=', 'a.version'),
    )
    .leftJoinLateral(
      (article) =>
        article
          .selectFrom('help_translations as t')
          .select(['t.locale', 't.title', 't.content', 't.content_html', 't.revision'])
          .whereRef('t.article_id', '=', 'a.id')
          .where(sql<boolean>`t.locale = any (${locales}::text[]) and not a.locale = any (
          (${locales}::text[])[:array_position(${locales}::text[], t.locale)])`)
          .orderBy(sql`array_position(${locales}::text[], t.locale)`)
          .limit(1)
          .as('t'),
      (on) => on.onTrue(),
    )
    .select([
      ...(['a.id', 'a.category_id', 'a.slug', 'a.locale as original_locale', 'a.labels'] as const),
      ...(['a.visibility', 'a.required_plans', 'a.status', 'a.version', 'a.helpful_count'] as const),
      ...(['a.unhelpful_count', 'a.published_at', 'a.created_at', 'a.updated_at'] as const),
      sql<string>`coalesce(t.title, v.title, a.title)`.as('title'),
      sql<string>`coalesce(t.locale, a.locale)`.as('locale'),
      sql<
        string[]
      >`array(select a.locale union select o.locale from help_translations o where o.article_id = a.id order by 1)`.as(
        'locales',
      ),
      sql<boolean>`coalesce(t.revision < coalesce(v.revision, a.revision), false)`.as('is_outdated'),
      publishedPlans(sql.ref('a.required_plans')).as('published_plans'),
    ])
type SummaryRow = InferResult<ReturnType<typeof articlesIn>>[number]

/** The same with what they say. */
export const fullArticlesIn = (v: { locales: unknown }) =>
  articlesIn(v).select([
    ...(['a.title as draft_title', 'a.content as draft_content', 'a.content_html as draft_html'] as const),
    sql<string>`coalesce(t.content, v.content, a.content)`.as('content'),
    sql<string>`coalesce(t.content_html, v.content_html, a.content_html)`.as('content_html'),
    sql<boolean>`coalesce(v.revision <> a.revision, false)`.as('has_draft'),
  ])
type ArticleRow = InferResult<ReturnType<typeof fullArticlesIn>>[number]

/** Published articles that a reader may read; keys get all. */
export const readable = (v: { audiences: unknown }) =>
  sql<boolean>`(${v.audiences}::text[] is null or (a.status = 'published' and a.audience && ${v.audiences}::text[]))`

/** An article in lists, as somebody reads it: plans that are not public are shown to keys alone. */
export const toSummary = (row: SummaryRow, viewer: Viewer): ArticleSummary => ({
  id: toId(articleId, row.id),
  category_id: row.category_id === null ? null : toId(categoryId, row.category_id),
  slug: row.slug,
  title: row.title,
  locale: row.locale,
  original_locale: row.original_locale,
  locales: row.locales,
  is_outdated: row.is_outdated,
  labels: row.labels,
  visibility: row.visibility as ArticleSummary['visibility'],
  required_plans: (viewer.isKey ? row.required_plans : row.published_plans).map((plan) => toId('plan', plan)),
  status: row.status as ArticleSummary['status'],
  version: row.version,
  helpful_count: row.helpful_count,
  unhelpful_count: row.unhelpful_count,
  published_at: row.published_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** An article as somebody reads it: drafts are for keys. */
export const toArticle = (row: ArticleRow, viewer: Viewer): Article => ({
  ...toSummary(row, viewer),
  content: row.content,
  content_html: row.content_html,
  ...(viewer.isKey && {
    draft: row.has_draft
      ? { title: row.draft_title, content: row.draft_content, content_html: row.draft_html }
      : null,
  }),
})
