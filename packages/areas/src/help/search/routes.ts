import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope } from '#platform/http/envelope.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { toId } from '#platform/ids.ts'
import { placeOf, startOf } from '#platform/lists/pagination.ts'
import { marksOf, showFound } from '#platform/search/marking.ts'
import { assertSeeks } from '#platform/search/search.ts'
import { findArticle } from '../articles/queries.ts'
import { articleId, categoryId } from '../ids.ts'
import { ArticleQuery, ArticleSummary, ById } from '../schema.ts'
import { listLowVotes, listMostRead, listRelated, listVainSearches, searchArticles } from './queries.ts'
import { HelpInsights, InsightsQuery, SearchHit, SearchQuery } from './schema.ts'

const read = { access: { secret: 'read:help', public: 'catalog', user: 'self' } } as const

export function searchRoutes(api: Api): void {
  searchArticlesRoute(api)
  listRelatedArticlesRoute(api)
  getHelpInsightsRoute(api)
}

function searchArticlesRoute(api: Api): void {
  api.get(
    '/help/search',
    {
      // First pages are counted, so this read writes.
      config: { ...read, reads: 'primary' },
      schema: {
        operationId: 'searchArticles',
        summary: 'Search the help center',
        description:
          'Searches published articles; the best match comes first. If no article has all the words, the answer has articles with similar words. Articles that the reader may not read are not in results, snippets or totals. Searches of first pages are counted for the insights, without the person who searched.',
        querystring: SearchQuery,
        response: { 200: listEnvelope(SearchHit) },
      },
    },
    async (request) => {
      const { q, locale, limit } = request.query
      assertSeeks('q', q)
      const offset = startOf(request.query)
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { matches, articles } = await request.write(searchArticles({ viewer, q, locale, limit, offset }))
      const marks = marksOf(q)
      const hits = articles.map(({ id, category_id, slug, title, locale, text }) => ({
        id: toId(articleId, id),
        category_id: category_id === null ? null : toId(categoryId, category_id),
        slug,
        title,
        locale,
        ...showFound(marks, { title, text }),
      }))
      return { rows: hits, pagination: placeOf(request.query, offset, matches) }
    },
  )
}

function listRelatedArticlesRoute(api: Api): void {
  api.get(
    '/help/articles/:id/related',
    {
      config: read,
      schema: {
        operationId: 'listRelatedArticles',
        summary: 'List articles that are related to an article',
        description:
          'The answer has at most five articles that the reader may read. They have a similar title, the same labels or the same category.',
        params: ById,
        querystring: ArticleQuery,
        response: { 200: envelope(Type.Array(ArticleSummary)) },
      },
    },
    async (request) => {
      const { id } = request.params
      const { locale } = request.query
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const { article } = await request.read({ article: findArticle({ id, viewer, locale }) })
      const { related } = await request.read({ related: listRelated({ viewer, article }) })
      return related
    },
  )
}

function getHelpInsightsRoute(api: Api): void {
  api.get(
    '/help/insights',
    {
      config: { access: { secret: 'read:help' }, reads: 'replica' },
      schema: {
        operationId: 'getHelpInsights',
        summary: 'Get insights into the help center',
        description:
          'The answer has searches without results, articles that did not help, and the articles that are read most.',
        querystring: InsightsQuery,
        response: { 200: envelope(HelpInsights) },
      },
    },
    async (request) => {
      const { query } = request
      return request.read({
        searches_without_result: listVainSearches(query),
        low_votes: listLowVotes(query),
        views: listMostRead(query),
      })
    },
  )
}
