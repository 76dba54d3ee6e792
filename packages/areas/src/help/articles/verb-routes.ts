import type { Context } from '#platform/db/tenant.ts'
import type { ErrorType } from '#platform/define-error.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, strict } from '#platform/http/envelope.ts'
import { pageParameters } from '#platform/http/page.ts'
import { slugTaken } from '../errors.ts'
import { Article, ArticleVersion, ById, ByVersion } from '../schema.ts'
import { changeArticle } from './changes.ts'
import { getEdited, listVersions } from './queries.ts'
import { archiveArticle, publishArticle, restoreVersion } from './service.ts'

const write = { access: { secret: 'write:help' }, etag: changeArticle.tag } as const

export function articleVerbRoutes(api: Api): void {
  publishArticleRoute(api)
  archiveArticleRoute(api)
  listArticleVersionsRoute(api)
  restoreArticleVersionRoute(api)
}

function listArticleVersionsRoute(api: Api): void {
  api.get(
    '/help/articles/:id/versions',
    {
      config: { access: { secret: 'read:help' } },
      schema: {
        operationId: 'listArticleVersions',
        summary: 'List the versions of an article',
        description: 'The published versions, newest first. A version never changes.',
        params: ById,
        querystring: strict(pageParameters),
        response: { 200: listEnvelope(ArticleVersion) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { versions } = await request.read({
        article: getEdited({ id }),
        versions: listVersions({ ...request.query, articleId: id }),
      })
      return versions
    },
  )
}

function restoreArticleVersionRoute(api: Api): void {
  api.post(
    '/help/articles/:id/versions/:n/restore',
    {
      config: { ...write, oneTransaction: true },
      schema: {
        operationId: 'restoreArticleVersion',
        summary: 'Restore a version of an article',
        description: 'The version becomes the draft; readers see it after the next publish.',
        params: ByVersion,
        response: { 200: envelope(Article) },
      },
    },
    async (request) => {
      const { id } = request.params
      // What is no number of a version names none.
      const version = /^[1-9]\d{0,8}$/.test(request.params.n) ? Number(request.params.n) : 0
      return request.write((ctx) => restoreVersion(ctx, id, version))
    },
  )
}

function publishArticleRoute(api: Api): void {
  verbRoute(api, 'publish', publishArticle, {
    operationId: 'publishArticle',
    summary: 'Publish an article',
    description:
      'Readers see the draft as it is now. An archived article that is published is shown again. If its slug was an earlier slug of another published article, it leads to this article from now on.',
    errors: [slugTaken],
  })
}

function archiveArticleRoute(api: Api): void {
  verbRoute(api, 'archive', archiveArticle, {
    operationId: 'archiveArticle',
    summary: 'Archive an article',
    description: 'Readers no longer find the article in lists, in searches or at its address.',
    errors: [],
  })
}

function verbRoute(
  api: Api,
  name: string,
  act: (ctx: Context, id: string) => Promise<Article>,
  { errors, ...texts }: { operationId: string; summary: string; description: string; errors: ErrorType[] },
): void {
  api.post(
    `/help/articles/:id/${name}`,
    {
      config: { ...write, errors },
      schema: { ...texts, params: ById, response: { 200: envelope(Article) } },
    },
    async (request) => {
      const { id } = request.params
      return request.write((ctx) => act(ctx, id))
    },
  )
}
