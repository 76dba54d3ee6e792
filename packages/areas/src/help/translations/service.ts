import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { toId } from '#platform/ids.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { refreshSearch } from '../articles/find.ts'
import { getArticle, lockArticle } from '../articles/queries.ts'
import { EDITOR, written } from '../articles/service.ts'
import { localeIsOriginal } from '../errors.ts'
import { articleUpdated } from '../events.ts'
import { articleId } from '../ids.ts'
import { toSummary } from '../rows.ts'
import { deleteTranslationRow, putTranslationRow } from './queries.ts'
import type { Translation } from './schema.ts'

/**
 * Keeps what an article says in another language: of the article as it is now, its draft included.
 * @throws ApiError 404; 422 LOCALE_IS_ORIGINAL
 */
export async function putTranslation(
  ctx: Context,
  id: string,
  locale: string,
  { title, content }: { title: string; content: string },
  rendered: Rendered,
): Promise<Translation> {
  const article = await lockArticle(ctx, id, 'Article or language')
  if (article.locale === locale) throw localeIsOriginal()
  const text = { title, ...written(content, rendered) }
  const { revision, ...row } = await putTranslationRow(ctx, id, locale, text)
  await announce(ctx, id)
  const live = article.live_revision ?? article.revision
  return { ...row, article_id: toId(articleId, id), is_outdated: revision < live }
}

/** @throws ApiError 404 */
export async function deleteTranslation(ctx: Context, id: string, locale: string): Promise<void> {
  await deleteTranslationRow(ctx, id, locale)
  await lockArticle(ctx, id)
  await announce(ctx, id)
}

async function announce(ctx: Context, id: string): Promise<void> {
  await refreshSearch(ctx, id)
  emit(ctx, articleUpdated, toSummary(await getArticle(ctx, { id }, EDITOR), EDITOR))
}
