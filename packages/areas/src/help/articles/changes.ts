import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery, deriveQuery, pick } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'
import { definePatch, field } from '#platform/http/define-patch.ts'
import { parseId } from '#platform/ids.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { forgetInSearch, keepFindable } from '#platform/search/documents.ts'
import { slugTaken } from '../errors.ts'
import { categoryId } from '../ids.ts'
import { type Article, ArticleChanges, type ArticleSummary } from '../schema.ts'
import { getEdited, listFindable } from './queries.ts'

/** What articles are called in the search. */
export const ARTICLE = 'article'

/** What a category that does not exist means to a client. */
const noCategory = (cause?: unknown) =>
  invalidField('category_id', 'exists', 'is not a category of this help center', cause)
const CONSTRAINTS = { help_articles_category_fkey: noCategory }

/** The stored id of a category; an id of another kind is answered like another project's category. @throws ApiError 422 */
export function toCategory(id: string | null): string | null {
  if (id === null) return null
  const uuid = parseId(categoryId, id)
  if (uuid === undefined) throw noCategory()
  return uuid
}

/** What a content becomes. */
export interface RenderedContent {
  readonly content_html: string
  readonly plain_text: string
}
export const rendered = ({ html, text }: Rendered): RenderedContent => ({
  content_html: html,
  plain_text: text,
})

/** A text in all its forms. */
export interface Written extends RenderedContent {
  readonly title: string
  readonly content: string
}
export const WRITTEN = ['title', 'content', 'content_html', 'plain_text'] as const

interface NewArticleRow extends Written {
  readonly id: string
  readonly category_id: string | null
  readonly slug: string
  readonly locale: string
  readonly labels: readonly string[]
  readonly visibility: string
  readonly required_plans: readonly string[]
}

/** @throws ApiError 422 for a category that does not exist */
export const insertArticle = defineQuery(
  'insert_help_article',
  (v: NewArticleRow) =>
    query.insertInto('help_articles').values({
      ...pick(v, 'id', 'category_id', 'slug', 'locale', 'visibility', ...WRITTEN),
      labels: sql`${v.labels}::text[]`,
      required_plans: sql`${v.required_plans}::uuid[]`,
      created_at: now,
      updated_at: now,
    }),
  CONSTRAINTS,
)

/** A new text makes a new revision. */
const revision = sql`revision + 1`

/**
 * Changes what is sent of an article that is locked. A new content comes with what it becomes; `required_plans` are stored
 * ids here.
 */
export const changeArticle = definePatch('help_articles', {
  body: ArticleChanges,
  current: deriveQuery(({ id }: { id: string } & Partial<RenderedContent>) => getEdited({ id })),
  columns: ['slug', 'visibility'],
  fields: {
    title: field(
      (title: string) => ({ title }),
      (v) => ({ title: v.title, revision }),
    ),
    content: field(
      (content: string): { content: string } & Partial<RenderedContent> => ({ content }),
      (v) => ({ ...pick(v, 'content', 'content_html', 'plain_text'), revision }),
    ),
    category_id: field(
      (id: string | null) => ({ category_id: toCategory(id) }),
      (v) => ({ category_id: v.category_id }),
    ),
    labels: field(
      (labels: string[]) => ({ labels }),
      (v) => ({ labels: sql`${v.labels}::text[]` }),
    ),
    required_plans: field(
      (required_plans: string[]) => ({ required_plans }),
      (v) => ({ required_plans: sql`${v.required_plans}::uuid[]` }),
    ),
  },
  also: { updated_at: now },
  constraints: CONSTRAINTS,
  // What keys see of a draft follows what is changed.
  tagMore: ['draft'],
})

/** The answer of `changeArticle`, as lists and events show it. */
export const summaryOf = ({ content, content_html, draft, ...summary }: Article): ArticleSummary => summary

/** An earlier slug leads to its published article until the article that takes the slug is published, too. */
const leadsElsewhere = (v: { id: string }) =>
  sql`(help_slugs.article_id <> ${v.id}::uuid and exists (
    select from help_articles o where o.id = help_slugs.article_id and o.status = 'published') and not exists (
    select from help_articles n where n.id = ${v.id}::uuid and n.status = 'published'))`
const claim = defineQuery('claim_help_slug', (v: { slug: string; id: string }) =>
  query
    .insertInto('help_slugs')
    .values({ slug: v.slug, article_id: v.id, is_current: true })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'slug'])
        .doUpdateSet({
          article_id: sql`case when ${leadsElsewhere(v)} then help_slugs.article_id else ${v.id}::uuid end`,
          is_current: sql`not ${leadsElsewhere(v)}`,
        })
        .where(sql<boolean>`not help_slugs.is_current or help_slugs.article_id = ${v.id}::uuid`),
    )
    .returning('slug'),
).first()
const retire = defineQuery('retire_help_slugs', (v: { slug: string; id: string }) =>
  query
    .updateTable('help_slugs')
    .set({ is_current: false })
    .where('article_id', '=', v.id)
    .where('slug', '<>', v.slug),
)
/**
 * Gives an article a slug, in place of the one that it has, which goes on leading to it. Called again when the article is
 * published.
 * @throws ApiError 422 SLUG_TAKEN
 */
export async function takeSlug(ctx: Context, id: string, slug: string): Promise<void> {
  if (!(await triesSlug(ctx, id, slug))) throw slugTaken()
}

/** The same. @returns whether the slug was free */
export async function triesSlug(ctx: Context, id: string, slug: string): Promise<boolean> {
  if ((await claim(ctx, { slug, id })) === undefined) return false
  retire(ctx, { slug, id })
  return true
}

/** Answers the status that it had. @throws ApiError 404 */
export const removeArticle = defineQuery('delete_help_article', (v: { id: string }) =>
  query.deleteFrom('help_articles').where('id', '=', v.id).returning(['id', 'status']),
).one('Article')

/** Lets readers find what there is of an article by now, in all its languages, and nothing else of it. */
export async function refreshSearch(ctx: Context, id: string): Promise<void> {
  forgetInSearch(ctx, ARTICLE, [id])
  for (const found of await listFindable(ctx, { ids: [id] })) keepFindable(ctx, { ...found, kind: ARTICLE })
}
