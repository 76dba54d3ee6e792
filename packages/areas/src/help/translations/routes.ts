import type { Context } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { ApiError, notFound } from '#platform/errors.ts'
import { emit } from '#platform/events/emit.ts'
import type { Api } from '#platform/http/api.ts'
import { Deleted, deleted, envelope, ok } from '#platform/http/envelope.ts'
import { idFromPath, toId } from '#platform/ids.ts'
import { refreshSearch } from '../articles/find.ts'
import { getArticle, lockArticle } from '../articles/queries.ts'
import { EDITOR, written } from '../articles/service.ts'
import { LOCALE_IS_ORIGINAL } from '../errors.ts'
import { articleUpdated } from '../events.ts'
import { articleId } from '../ids.ts'
import { toSummary } from '../rows.ts'
import { isLocale } from '../schema.ts'
import { deleteTranslation, putTranslation } from './queries.ts'
import { ByLocale, NewTranslation, Translation } from './schema.ts'

const tags = ['Help center']
const write = { access: { secret: 'write:help' } } as const

/** What is no language names no translation. @throws ApiError 404 */
function localeFromPath(text: string, what: string): string {
  if (!isLocale(text)) throw notFound(what)
  return text
}

export function translationRoutes(api: Api, { markdown }: AreaDeps): void {
  api.put(
    '/help/articles/:id/translations/:locale',
    {
      config: { ...write, errors: { LOCALE_IS_ORIGINAL } },
      schema: {
        tags,
        operationId: 'putTranslation',
        summary: 'Translate an article',
        description:
          'Of the article as it is now, its draft included. Readers of a published article meet it at once. It is outdated when the article is published with other words.',
        params: ByLocale,
        body: NewTranslation,
        response: { 200: envelope(Translation) },
      },
    },
    async (request) => {
      const id = idFromPath(articleId, request.params.id)
      const locale = localeFromPath(request.params.locale, 'Article or language')
      const { title, content } = request.body
      const rendered = await markdown.render(content)
      const translation = await request.inProject(async (ctx) => {
        const article = await lockArticle(ctx, id, 'Article or language')
        if (article.locale === locale) throw new ApiError(422, 'LOCALE_IS_ORIGINAL', LOCALE_IS_ORIGINAL)
        const { revision, ...row } = await putTranslation(ctx, id, locale, {
          title,
          ...written(content, rendered),
        })
        await announce(ctx, id)
        const live = article.live_revision ?? article.revision
        return { ...row, article_id: toId(articleId, id), is_outdated: revision < live }
      })
      return ok(translation)
    },
  )

  api.delete(
    '/help/articles/:id/translations/:locale',
    {
      config: write,
      schema: {
        tags,
        operationId: 'deleteTranslation',
        summary: 'Delete a translation',
        description: 'Readers meet the article in the language that it was written in.',
        params: ByLocale,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const id = idFromPath(articleId, request.params.id)
      const locale = localeFromPath(request.params.locale, 'Translation')
      await request.inProject(async (ctx) => {
        await deleteTranslation(ctx, id, locale)
        await lockArticle(ctx, id)
        await announce(ctx, id)
      })
      return deleted(locale)
    },
  )
}

async function announce(ctx: Context, id: string): Promise<void> {
  await refreshSearch(ctx, id)
  emit(ctx, articleUpdated, toSummary(await getArticle(ctx, { id }, EDITOR)))
}
