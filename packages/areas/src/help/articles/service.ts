import { readPlanIds } from '#areas/plans/service.ts'
import { audit } from '#platform/audit.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { forgetInSearch } from '#platform/search/documents.ts'
import { slugTaken } from '../errors.ts'
import { articleArchived, articleDeleted, articlePublished, articleUpdated } from '../events.ts'
import { articleId } from '../ids.ts'
import { type Article, type ArticleChanges, type NewArticle, slugOf } from '../schema.ts'
import {
  ARTICLE,
  changeArticle,
  insertArticle,
  refreshSearch,
  removeArticle,
  rendered,
  summaryOf,
  takeSlug,
  toCategory,
  triesSlug,
} from './changes.ts'
import { getEdited, getVersion, lockArticle, markArchived, publishVersion } from './queries.ts'

/**
 * Writes an article, as a draft.
 * @param content what its content becomes
 * @throws ApiError 422 for a category or a plan that does not exist, or SLUG_TAKEN
 */
export async function createArticle(ctx: Context, input: NewArticle, content: Rendered): Promise<Article> {
  const id = newUuid()
  const slug = input.slug ?? slugOf(input.title) ?? `article-${id.slice(-12)}`
  insertArticle(ctx, {
    ...{ id, slug, title: input.title, content: input.content, ...rendered(content) },
    category_id: toCategory(input.category_id ?? null),
    locale: input.locale ?? 'en',
    labels: input.labels ?? [],
    visibility: input.visibility ?? 'public',
    required_plans: await readPlanIds(ctx, 'required_plans', input.required_plans ?? []),
  })
  if (await triesSlug(ctx, id, slug)) return getEdited(ctx, { id })
  // A slug that nobody asked for gives way; one that was asked for does not.
  if (input.slug !== undefined) throw slugTaken()
  const other = `${slug.slice(0, 60)}-${id.slice(-12)}`
  await takeSlug(ctx, id, other)
  return changeArticle(ctx, { id, changes: { slug: other }, ifMatch: undefined })
}

/**
 * Changes what is given and nothing else. Title and content are the draft’s; everything else counts at once.
 * @param content what the new content becomes
 * @throws ApiError 404; 422 for a category or a plan that does not exist, or SLUG_TAKEN
 */
export async function updateArticle(
  ctx: Context,
  id: string,
  sent: ArticleChanges,
  content: Rendered | undefined,
): Promise<Article> {
  const before = await lockArticle(ctx, { id })
  const { slug, required_plans } = sent
  const changes = {
    ...sent,
    ...(required_plans !== undefined && {
      required_plans: await readPlanIds(ctx, 'required_plans', required_plans),
    }),
  }
  if (slug !== undefined && slug !== before.slug) await takeSlug(ctx, id, slug)
  const patch = { id, changes, ifMatch: undefined }
  const article = await changeArticle(ctx, content ? { ...patch, ...rendered(content) } : patch)
  if (Object.keys(sent).length === 0) return article
  await refreshSearch(ctx, id)
  emit(ctx, articleUpdated, summaryOf(article))
  return article
}

/** @throws ApiError 404 */
export async function deleteArticle(ctx: Context, id: string): Promise<void> {
  const { status } = await removeArticle(ctx, { id })
  forgetInSearch(ctx, ARTICLE, [id])
  const target = toId(articleId, id)
  emit(ctx, articleDeleted, { id: target })
  audit(ctx, { action: 'article.delete', target, before: { status } })
}

/**
 * Makes the draft the version that readers meet. Where it is that already, nothing changes.
 * @throws ApiError 404; 422 SLUG_TAKEN where another article was published with a slug that both wanted
 */
export async function publishArticle(ctx: Context, id: string): Promise<Article> {
  const before = await lockArticle(ctx, { id })
  const isNew = before.status !== 'published' || before.live_revision !== before.revision
  if (isNew) {
    publishVersion(ctx, { id })
    await takeSlug(ctx, id, before.slug)
    await refreshSearch(ctx, id)
  }
  const article = await getEdited(ctx, { id })
  if (isNew) {
    emit(ctx, articlePublished, summaryOf(article))
    const { version } = article
    audit(ctx, { action: 'article.publish', target: article.id, after: { version } })
  }
  return article
}

/** Readers do not meet it any more, until it is published again. @throws ApiError 404 */
export async function archiveArticle(ctx: Context, id: string): Promise<Article> {
  const { status } = await lockArticle(ctx, { id })
  if (status === 'archived') return getEdited(ctx, { id })
  markArchived(ctx, { id })
  forgetInSearch(ctx, ARTICLE, [id])
  const article = await getEdited(ctx, { id })
  emit(ctx, articleArchived, summaryOf(article))
  audit(ctx, { action: 'article.archive', target: article.id, before: { status } })
  return article
}

/** Makes a version the draft again; readers meet it when it is published. @throws ApiError 404 */
export async function restoreVersion(ctx: Context, id: string, version: number): Promise<Article> {
  const { title, content, content_html, plain_text } = await getVersion(ctx, { id, version })
  lockArticle(ctx, { id })
  const changes = { title, content }
  const article = await changeArticle(ctx, { id, changes, content_html, plain_text, ifMatch: undefined })
  emit(ctx, articleUpdated, summaryOf(article))
  return article
}
