import { limitReached } from '#platform/define-error.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, envelope } from '#platform/http/envelope.ts'
import { localeIsOriginal } from '../errors.ts'
import { isLocale } from '../schema.ts'
import { ByLocale, NewTranslation, Translation } from './schema.ts'
import { deleteTranslation, putTranslation } from './service.ts'

const write = { access: { secret: 'write:help' } } as const

/** What is no language names no translation. @throws ApiError 404 */
function localeFromPath(text: string, what: string): string {
  if (!isLocale(text)) throw notFound(what)
  return text
}

export function translationRoutes(api: Api, deps: AreaDeps): void {
  putTranslationRoute(api, deps)
  deleteTranslationRoute(api)
}

function putTranslationRoute(api: Api, { markdown }: AreaDeps): void {
  api.put(
    '/help/articles/:id/translations/:locale',
    {
      config: { ...write, errors: [localeIsOriginal, limitReached] },
      schema: {
        operationId: 'putTranslation',
        summary: 'Translate an article',
        description:
          'The translation belongs to the article as it is now, with its draft. Readers of a published article see it at once. When the article is published with another text, the translation is marked as outdated.',
        params: ByLocale,
        body: NewTranslation,
        response: { 200: envelope(Translation) },
      },
    },
    async (request) => {
      const { id } = request.params
      const locale = localeFromPath(request.params.locale, 'Article or language')
      const { title, content } = request.body
      const rendered = await markdown.renderTyped(content, callerOf(request))
      return request.write((ctx) => putTranslation(ctx, id, locale, { title, content }, rendered))
    },
  )
}

function deleteTranslationRoute(api: Api): void {
  api.delete(
    '/help/articles/:id/translations/:locale',
    {
      config: write,
      schema: {
        operationId: 'deleteTranslation',
        summary: 'Delete a translation',
        description: 'Readers then get the article in its original language.',
        params: ByLocale,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      const locale = localeFromPath(request.params.locale, 'Translation')
      await request.write((ctx) => deleteTranslation(ctx, id, locale))
      return { id: locale, deleted: true as const }
    },
  )
}
