import { readPlanIds } from '#areas/plans/service.ts'
import { audit } from '#platform/audit.ts'
import { forgetInSearch } from '#platform/db/search/documents.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, parseId, toId } from '#platform/ids.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import type { Reader } from '../audience.ts'
import { slugTaken } from '../errors.ts'
import { articleDeleted, articleUpdated } from '../events.ts'
import { articleId, categoryId } from '../ids.ts'
import { toArticle, toSummary } from '../rows.ts'
import type { Article, ArticleChanges, NewArticle } from '../schema.ts'
import { slugOf } from '../slugs.ts'
import { ARTICLE, refreshSearch } from './find.ts'
import { getArticle, lockArticle } from './queries.ts'
import {
  type ArticleUpdate,
  deleteArticleRow,
  insertArticleRow,
  noCategory,
  takeSlug,
  updateArticleRow,
} from './write-queries.ts'

/** Who works on articles: keys, who see everything. */
export const EDITOR: Reader = { memberId: null, audiences: null }

/**
 * Writes an article, as a draft.
 * @param rendered what its content becomes
 * @throws ApiError 422 for a category or a plan that does not exist, or SLUG_TAKEN
 */
export async function createArticle(ctx: Context, input: NewArticle, rendered: Rendered): Promise<Article> {
  const id = newUuid()
  const base = input.slug ?? slugOf(input.title) ?? `article-${id.slice(-12)}`
  const row = {
    id,
    category_id: toCategory(input.category_id ?? null),
    slug: base,
    locale: input.locale ?? 'en',
    labels: input.labels ?? [],
    visibility: input.visibility ?? 'public',
    required_plans: await readPlanIds(ctx, 'required_plans', input.required_plans ?? []),
    title: input.title,
    ...written(input.content, rendered),
  }
  await insertArticleRow(ctx, row)
  if (!(await takeSlug(ctx, id, base))) {
    // A slug that nobody asked for gives way; one that was asked for does not.
    const other = `${base.slice(0, 60)}-${id.slice(-12)}`
    if (input.slug !== undefined || !(await takeSlug(ctx, id, other))) throw slugTaken()
    await updateArticleRow(ctx, id, { slug: other })
  }
  return toArticle(await getArticle(ctx, { id }, EDITOR), EDITOR)
}

/**
 * Changes what is given and nothing else. Title and content are the draft’s; everything else counts at once.
 * @param rendered what the new content becomes
 * @throws ApiError 404; 422 for a category or a plan that does not exist, or SLUG_TAKEN
 */
export async function updateArticle(
  ctx: Context,
  id: string,
  changes: ArticleChanges,
  rendered: Rendered | undefined,
): Promise<Article> {
  const before = await lockArticle(ctx, id)
  const update = await toUpdate(ctx, changes, rendered)
  if (changes.slug !== undefined && changes.slug !== before.slug && !(await takeSlug(ctx, id, changes.slug)))
    throw slugTaken()
  if (Object.keys(update).length > 0) {
    // The title alone makes a new revision, too.
    if (update.title !== undefined && update.content === undefined) update.content = before.content
    await updateArticleRow(ctx, id, update)
    await refreshSearch(ctx, id)
  }
  const row = await getArticle(ctx, { id }, EDITOR)
  if (Object.keys(update).length > 0) emit(ctx, articleUpdated, toSummary(row, EDITOR))
  return toArticle(row, EDITOR)
}

/** @throws ApiError 404 */
export async function deleteArticle(ctx: Context, id: string): Promise<void> {
  const { status } = await deleteArticleRow(ctx, id)
  forgetInSearch(ctx, ARTICLE, [id])
  const target = toId(articleId, id)
  emit(ctx, articleDeleted, { id: target })
  audit(ctx, { action: 'article.delete', target, before: { status } })
}

/** A content in all its forms. */
export const written = (content: string, { html, text }: Rendered) => ({
  content,
  content_html: html,
  plain_text: text,
})

async function toUpdate(
  ctx: Context,
  changes: ArticleChanges,
  rendered: Rendered | undefined,
): Promise<ArticleUpdate> {
  const { category_id, required_plans, content, ...others } = changes
  return {
    ...others,
    ...(content !== undefined && rendered && written(content, rendered)),
    ...(category_id !== undefined && { category_id: toCategory(category_id) }),
    ...(required_plans !== undefined && {
      required_plans: await readPlanIds(ctx, 'required_plans', required_plans),
    }),
  }
}

/** An id of another kind is answered like another project’s category. */
function toCategory(id: string | null): string | null {
  if (id === null) return null
  const uuid = parseId(categoryId, id)
  if (uuid === undefined) throw noCategory()
  return uuid
}
