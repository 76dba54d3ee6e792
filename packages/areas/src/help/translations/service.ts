import { sql } from 'kysely'
import { audit } from '#platform/audit.ts'
import { now } from '#platform/db/project-clock.ts'
import { defineQuery } from '#platform/db/query.ts'
import { query } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { emit } from '#platform/events/emit.ts'
import { newUuid, toId } from '#platform/ids.ts'
import type { Rendered } from '#platform/markdown/render.ts'
import { refreshSearch, rendered, summaryOf, type Written } from '../articles/changes.ts'
import { getEdited, lockArticle, lockOriginal } from '../articles/queries.ts'
import { localeIsOriginal } from '../errors.ts'
import { articleUpdated } from '../events.ts'
import { articleId } from '../ids.ts'
import type { Translation } from './schema.ts'

/** Keeps a translation of an article that is locked, as it is now. */
const putText = defineQuery(
  'put_help_translation',
  (v: Written & { id: string; articleId: string; locale: string }) =>
    query
      .insertInto('help_translations')
      .columns([
        ...(['id', 'article_id', 'locale', 'title', 'content', 'content_html', 'plain_text'] as const),
        ...(['revision', 'created_at', 'updated_at'] as const),
      ])
      .expression(
        sql`select ${v.id}::uuid, a.id, ${v.locale}::text, ${v.title}::text, ${v.content}::text, ${v.content_html}::text,
          ${v.plain_text}::text, a.revision, ${now}, ${now} from help_articles a where a.id = ${v.articleId}::uuid`,
      )
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'article_id', 'locale']).doUpdateSet({
          title: sql`excluded.title`,
          content: sql`excluded.content`,
          content_html: sql`excluded.content_html`,
          plain_text: sql`excluded.plain_text`,
          revision: sql`excluded.revision`,
          updated_at: now,
        }),
      )
      .returning(['locale', 'title', 'content', 'content_html', 'revision', 'created_at', 'updated_at']),
).single()

const removeText = defineQuery('delete_help_translation', (v: { articleId: string; locale: string }) =>
  query
    .deleteFrom('help_translations')
    .where('article_id', '=', v.articleId)
    .where('locale', '=', v.locale)
    .returning('id'),
).one('Translation')

/**
 * Keeps what an article says in another language: of the article as it is now, its draft included.
 * @throws ApiError 404; 422 LOCALE_IS_ORIGINAL
 */
export async function putTranslation(
  ctx: Context,
  id: string,
  locale: string,
  { title, content }: { title: string; content: string },
  text: Rendered,
): Promise<Translation> {
  const article = await lockOriginal(ctx, { id })
  if (article.locale === locale) throw localeIsOriginal()
  const written = { title, content, ...rendered(text) }
  const { revision, ...row } = await putText(ctx, { id: newUuid(), articleId: id, locale, ...written })
  await announce(ctx, id)
  const live = article.live_revision ?? article.revision
  return { ...row, article_id: toId(articleId, id), is_outdated: revision < live }
}

/** @throws ApiError 404 */
export async function deleteTranslation(ctx: Context, id: string, locale: string): Promise<void> {
  await removeText(ctx, { articleId: id, locale })
  lockArticle(ctx, { id })
  audit(ctx, { action: 'article.delete_translation', target: toId(articleId, id), before: { locale } })
  await announce(ctx, id)
}

async function announce(ctx: Context, id: string): Promise<void> {
  await refreshSearch(ctx, id)
  emit(ctx, articleUpdated, summaryOf(await getEdited(ctx, { id })))
}
