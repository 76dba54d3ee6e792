import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement, statements } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { invalidField } from '#platform/errors.ts'

/** What a category that does not exist means to a client. */
export const noCategory = (cause?: unknown) =>
  invalidField('category_id', 'exists', 'is not a category of this help center', cause)
const CONSTRAINTS = { help_articles_category_fkey: noCategory }

/** A text in all its forms. */
export interface Written {
  title: string
  content: string
  content_html: string
  plain_text: string
}

export interface NewArticleRow extends Written {
  id: string
  category_id: string | null
  slug: string
  locale: string
  labels: readonly string[]
  visibility: string
  required_plans: readonly string[]
}

const insert = statement(
  'insert_help_article',
  (v: NewArticleRow) =>
    query.insertInto('help_articles').values({
      id: v.id,
      category_id: v.category_id,
      slug: v.slug,
      locale: v.locale,
      labels: sql`${v.labels}::text[]`,
      visibility: v.visibility,
      required_plans: sql`${v.required_plans}::uuid[]`,
      title: v.title,
      content: v.content,
      content_html: v.content_html,
      plain_text: v.plain_text,
      created_at: now,
      updated_at: now,
    }),
  CONSTRAINTS,
)
/** @throws ApiError 422 for a category that does not exist */
export const insertArticleRow = (ctx: Context, article: NewArticleRow) => ctx.tx.run(insert, article)

const claim = statement('claim_help_slug', (v: { slug: string; id: string }) =>
  query
    .insertInto('help_slugs')
    .values({ slug: v.slug, article_id: v.id, is_current: true })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'slug'])
        .doUpdateSet({ article_id: v.id, is_current: true })
        .where(sql<boolean>`not help_slugs.is_current or help_slugs.article_id = ${v.id}::uuid`),
    )
    .returning('slug'),
)
const retire = statement('retire_help_slugs', (v: { slug: string; id: string }) =>
  query
    .updateTable('help_slugs')
    .set({ is_current: false })
    .where('article_id', '=', v.id)
    .where('slug', '<>', v.slug),
)
/** Gives an article a slug, in place of the one that it has, which goes on leading to it. @returns whether it is free */
export async function takeSlug(ctx: Context, id: string, slug: string): Promise<boolean> {
  if ((await ctx.tx.first(claim, { slug, id })) === undefined) return false
  await ctx.tx.run(retire, { slug, id })
  return true
}

/** What a change may set; a new text makes a new revision. */
export interface ArticleUpdate extends Partial<Written> {
  category_id?: string | null
  slug?: string
  labels?: readonly string[]
  visibility?: string
  required_plans?: readonly string[]
}
const SETTERS: {
  [C in keyof ArticleUpdate]-?: (v: Required<ArticleUpdate>) => Record<string, unknown>
} = {
  title: (v) => ({ title: v.title }),
  content: (v) => ({ content: v.content, revision: sql`revision + 1` }),
  content_html: (v) => ({ content_html: v.content_html }),
  plain_text: (v) => ({ plain_text: v.plain_text }),
  category_id: (v) => ({ category_id: v.category_id }),
  slug: (v) => ({ slug: v.slug }),
  labels: (v) => ({ labels: sql`${v.labels}::text[]` }),
  visibility: (v) => ({ visibility: v.visibility }),
  required_plans: (v) => ({ required_plans: sql`${v.required_plans}::uuid[]` }),
}
const update = statements(
  'update_help_article',
  (columns: (keyof ArticleUpdate)[]) => (v: Required<ArticleUpdate> & { id: string }) =>
    query
      .updateTable('help_articles')
      .set(Object.assign({ updated_at: now }, ...columns.map((column) => SETTERS[column](v))))
      .where('id', '=', v.id),
  CONSTRAINTS,
)
/** Changes what is given of an article that is locked. A new content comes with everything that is made of it. */
export function updateArticleRow(ctx: Context, id: string, changes: ArticleUpdate) {
  const columns = (Object.keys(SETTERS) as (keyof ArticleUpdate)[]).filter(
    (column) => changes[column] !== undefined,
  )
  return ctx.tx.run(update(columns), { id, ...changes } as Required<ArticleUpdate> & { id: string })
}

const remove = statement('delete_help_article', (v: { id: string }) =>
  query.deleteFrom('help_articles').where('id', '=', v.id).returning(['id', 'status']),
)
/** @throws ApiError 404 */
export const deleteArticleRow = (ctx: Context, id: string) => ctx.tx.one(remove, { id }, 'Article')
