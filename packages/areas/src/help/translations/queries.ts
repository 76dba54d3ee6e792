import { sql } from 'kysely'
import { now } from '#platform/db/project-clock.ts'
import { query, statement } from '#platform/db/statement.ts'
import type { Context } from '#platform/db/tenant.ts'
import { newUuid } from '#platform/ids.ts'
import type { Written } from '../articles/write-queries.ts'

interface Values extends Written {
  id: string
  articleId: string
  locale: string
}
const put = statement('put_help_translation', (v: Values) =>
  query
    .insertInto('help_translations')
    .columns([
      'id',
      'article_id',
      'locale',
      'title',
      'content',
      'content_html',
      'plain_text',
      'revision',
      'created_at',
      'updated_at',
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
)
/** Keeps a translation of an article that is locked, as it is now. */
export const putTranslationRow = (ctx: Context, articleId: string, locale: string, text: Written) =>
  ctx.tx.single(put, { id: newUuid(), articleId, locale, ...text })

const remove = statement('delete_help_translation', (v: { articleId: string; locale: string }) =>
  query
    .deleteFrom('help_translations')
    .where('article_id', '=', v.articleId)
    .where('locale', '=', v.locale)
    .returning('id'),
)
/** @throws ApiError 404 */
export const deleteTranslationRow = (ctx: Context, articleId: string, locale: string) =>
  ctx.tx.one(remove, { articleId, locale }, 'Translation')
