import { audit } from '#platform/audit.ts'
import { forgetInSearch } from '#platform/db/search/documents.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import { articleArchived, articlePublished, articleUpdated } from '../events.ts'
import { articleId } from '../ids.ts'
import { toArticle, toSummary } from '../rows.ts'
import type { Article } from '../schema.ts'
import { ARTICLE, refreshSearch } from './find.ts'
import { getArticle, lockArticle } from './queries.ts'
import { EDITOR } from './service.ts'
import { getVersion, markArchived, publishVersionRow } from './version-queries.ts'
import { updateArticleRow } from './write-queries.ts'

/** Makes the draft the version that readers meet. Where it is that already, nothing changes. @throws ApiError 404 */
export async function publishArticle(ctx: Context, id: string): Promise<Article> {
  const before = await lockArticle(ctx, id)
  const changes = before.status !== 'published' || before.live_revision !== before.revision
  if (changes) {
    await publishVersionRow(ctx, id)
    await refreshSearch(ctx, id)
  }
  const row = await getArticle(ctx, { id }, EDITOR)
  if (changes) {
    emit(ctx, articlePublished, toSummary(row, EDITOR))
    audit(ctx, { action: 'article.publish', target: toId(articleId, id), after: { version: row.version } })
  }
  return toArticle(row, EDITOR)
}

/** Readers do not meet it any more, until it is published again. @throws ApiError 404 */
export async function archiveArticle(ctx: Context, id: string): Promise<Article> {
  const before = await lockArticle(ctx, id)
  if (before.status !== 'archived') {
    await markArchived(ctx, id)
    forgetInSearch(ctx, ARTICLE, [id])
  }
  const row = await getArticle(ctx, { id }, EDITOR)
  if (before.status !== 'archived') {
    emit(ctx, articleArchived, toSummary(row, EDITOR))
    audit(ctx, { action: 'article.archive', target: toId(articleId, id), before: { status: before.status } })
  }
  return toArticle(row, EDITOR)
}

/** Makes a version the draft again; readers meet it when it is published. @throws ApiError 404 */
export async function restoreVersion(ctx: Context, id: string, version: number): Promise<Article> {
  const { title, content, content_html, plain_text } = await getVersion(ctx, id, version)
  await lockArticle(ctx, id)
  await updateArticleRow(ctx, id, { title, content, content_html, plain_text })
  const row = await getArticle(ctx, { id }, EDITOR)
  emit(ctx, articleUpdated, toSummary(row, EDITOR))
  return toArticle(row, EDITOR)
}
