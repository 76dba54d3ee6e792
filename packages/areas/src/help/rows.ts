import { toId } from '#platform/ids.ts'
import { type Reader, seesEverything } from './audience.ts'
import { articleId, categoryId } from './ids.ts'
import type { Article, ArticleSummary } from './schema.ts'

/** What every query for articles reads: of what is shown, and in which language. */
export interface SummaryRow {
  id: string
  category_id: string | null
  slug: string
  title: string
  locale: string
  original_locale: string
  locales: string[]
  is_outdated: boolean
  labels: string[]
  visibility: string
  required_plans: string[]
  /** Those of them that everybody may see. */
  published_plans: string[]
  status: string
  version: number
  helpful_count: number
  unhelpful_count: number
  published_at: string | null
  created_at: string
  updated_at: string
}

export interface ArticleRow extends SummaryRow {
  content: string
  content_html: string
  has_draft: boolean
  draft_title: string
  draft_content: string
  draft_html: string
}

/** An article in lists, as somebody reads it: plans that are not public are told to keys alone. */
export const toSummary = (row: SummaryRow, reader: Reader): ArticleSummary => ({
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
  required_plans: (seesEverything(reader) ? row.required_plans : row.published_plans).map((plan) =>
    toId('plan', plan),
  ),
  status: row.status as ArticleSummary['status'],
  version: row.version,
  helpful_count: row.helpful_count,
  unhelpful_count: row.unhelpful_count,
  published_at: row.published_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** An article as somebody reads it: drafts are for keys. */
export const toArticle = (row: ArticleRow, reader: Reader): Article => ({
  ...toSummary(row, reader),
  content: row.content,
  content_html: row.content_html,
  ...(seesEverything(reader) && {
    draft: row.has_draft
      ? { title: row.draft_title, content: row.draft_content, content_html: row.draft_html }
      : null,
  }),
})
