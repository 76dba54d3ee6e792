import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { callerOf } from '#platform/http/caller.ts'
import { Deleted, deleted, envelope, listEnvelope } from '#platform/http/envelope.ts'
import { assertUnchanged } from '#platform/http/etag.ts'
import { mapPage } from '#platform/http/page.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { parseId } from '#platform/ids.ts'
import { slugTaken } from '../errors.ts'
import { articleId } from '../ids.ts'
import {
  Article,
  ArticleChanges,
  ArticleQuery,
  ArticleSummary,
  ById,
  ByIdOrSlug,
  ListQuery,
  NewArticle,
} from '../schema.ts'
import { changeArticle } from './changes.ts'
import { getArticle, getEdited, listArticles } from './queries.ts'
import { toSummary } from './rows.ts'
import { createArticle, deleteArticle, updateArticle } from './service.ts'

const etag = changeArticle.tag
const read = { access: { secret: 'read:help', public: 'catalog', user: 'self' } } as const
const write = { access: { secret: 'write:help' } } as const

export function articleRoutes(api: Api, deps: AreaDeps): void {
  listArticlesRoute(api)
  createArticleRoute(api, deps)
  getArticleRoute(api)
  updateArticleRoute(api, deps)
  deleteArticleRoute(api)
}

function listArticlesRoute(api: Api): void {
  api.get(
    '/help/articles',
    {
      config: read,
      schema: {
        operationId: 'listArticles',
        summary: 'List articles',
        description:
          'The newest article comes first. The list has no content. Secret keys get all articles. Other callers get, and count, only the published articles that they may read.',
        querystring: ListQuery,
        response: { 200: listEnvelope(ArticleSummary) },
      },
    },
    async (request) => {
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { articles } = await request.read({ articles: listArticles({ ...request.query, viewer }) })
      return mapPage(articles, (row) => toSummary(row, viewer))
    },
  )
}

function createArticleRoute(api: Api, { markdown }: AreaDeps): void {
  api.post(
    '/help/articles',
    {
      config: { oneTransaction: true, ...write, etag, errors: [slugTaken] },
      schema: {
        operationId: 'createArticle',
        summary: 'Write an article',
        description:
          'The article is a draft: readers see it after it is published. Without `slug`, the slug is made from the title; if another article has that slug, letters are added. An earlier slug of a published article leads to that article until the new article is published.',
        body: NewArticle,
        response: { 201: envelope(Article) },
      },
    },
    async (request) => {
      const rendered = await markdown.renderTyped(request.body.content, callerOf(request))
      return request.write((ctx) => createArticle(ctx, request.body, rendered))
    },
  )
}

function getArticleRoute(api: Api): void {
  api.get(
    '/help/articles/:id',
    {
      config: { ...read, etag },
      schema: {
        operationId: 'getArticle',
        summary: 'Get an article',
        description:
          'The path takes the id, the slug or an earlier slug; the answer has the present slug. Readers get the published version. Each request counts a view, except with a secret key.',
        params: ByIdOrSlug,
        querystring: ArticleQuery,
        response: { 200: envelope(Article) },
      },
    },
    async (request) => {
      const { id: text } = request.params
      const id = parseId(articleId, text)
      const { locale } = request.query
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const asked = { ...(id === undefined ? { slug: text } : { id }), viewer, locale }
      if (!viewer.isKey) return request.write(getArticle({ ...asked, counts: true }))
      const { article } = await request.read({ article: getArticle(asked) })
      return article
    },
  )
}

function updateArticleRoute(api: Api, { markdown }: AreaDeps): void {
  api.patch(
    '/help/articles/:id',
    {
      config: { ...write, etag, errors: [slugTaken] },
      schema: {
        operationId: 'updateArticle',
        summary: 'Change an article',
        description:
          '`title` and `content` change the draft; readers see them after the next publish. All other fields change at once. Earlier slugs keep working.',
        params: ById,
        body: ArticleChanges,
        response: { 200: envelope(Article) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { content } = request.body
      const rendered =
        content === undefined ? undefined : await markdown.renderTyped(content, callerOf(request))
      return request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getEdited)
        return updateArticle(ctx, id, request.body, rendered)
      })
    },
  )
}

function deleteArticleRoute(api: Api): void {
  api.delete(
    '/help/articles/:id',
    {
      config: { ...write, etag },
      schema: {
        operationId: 'deleteArticle',
        summary: 'Delete an article',
        description: 'The versions, translations, votes and slugs of the article are deleted too.',
        params: ById,
        response: { 200: Deleted },
      },
    },
    async (request) => {
      const { id } = request.params
      await request.write(async (ctx) => {
        await assertUnchanged(ctx, request, { id }, getEdited)
        await deleteArticle(ctx, id)
      })
      return deleted(articleId, id)
    },
  )
}
