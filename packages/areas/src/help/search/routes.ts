import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { envelope, listEnvelope, ok } from '#platform/http/envelope.ts'
import { idFromPath, toId } from '#platform/ids.ts'
import { getArticle } from '../articles/queries.ts'
import { asReader, readerOf } from '../audience.ts'
import { articleId, categoryId } from '../ids.ts'
import { toSummary } from '../rows.ts'
import { ArticleQuery, ArticleSummary, ById } from '../schema.ts'
import { readInsights } from './insight-queries.ts'
import { placeOf, startOf } from './paging.ts'
import { listRelated, searchArticles } from './queries.ts'
import { HelpInsights, InsightsQuery, SearchHit, SearchQuery } from './schema.ts'
import { highlight, marksOf } from './snippet.ts'

const tags = ['Help center']
const read = { access: { secret: 'read:help', public: 'catalog', user: 'self' } } as const

export function searchRoutes(api: Api): void {
  api.get(
    '/help/search',
    {
      // First pages are counted, so this read writes.
      config: { ...read, reads: 'primary' },
      schema: {
        tags,
        operationId: 'searchArticles',
        summary: 'Search the help center',
        description:
          'Searches published articles; the best match comes first. If no article has all the words, the answer has articles with a similar title. Articles that the reader may not read are not in results, snippets or totals. Searches of first pages are counted for the insights. Who searched is not stored.',
        querystring: SearchQuery,
        response: { 200: listEnvelope(SearchHit) },
      },
    },
    async (request) => {
      const { q, locale, limit } = request.query
      const start = startOf(request.query)
      const { matches, articles } = await request.inProject((ctx) =>
        asReader(ctx, request, (reader) => searchArticles(ctx, reader, { q, locale, limit, offset: start })),
      )
      const marks = marksOf(q)
      const hits = articles.map(({ id, category_id, slug, title, locale, piece }) => ({
        id: toId(articleId, id),
        category_id: category_id === null ? null : toId(categoryId, category_id),
        slug,
        title,
        locale,
        title_html: highlight(title, marks),
        snippet: highlight(piece, marks),
      }))
      return { success: true as const, data: hits, pagination: placeOf(request.query, start, matches) }
    },
  )

  api.get(
    '/help/articles/:id/related',
    {
      config: read,
      schema: {
        tags,
        operationId: 'listRelatedArticles',
        summary: 'List articles that are related to an article',
        description:
          'At most five articles that the reader may read: with a similar title, with the same labels, or in the same category.',
        params: ById,
        querystring: ArticleQuery,
        response: { 200: envelope(Type.Array(ArticleSummary)) },
      },
    },
    async (request) => {
      const id = idFromPath(articleId, request.params.id)
      const { locale } = request.query
      const rows = await request.inProject((ctx) =>
        asReader(ctx, request, async (reader) => {
          const article = await getArticle(ctx, { id }, reader, { locale })
          return listRelated(ctx, reader, article)
        }),
      )
      return ok(rows.map((row) => toSummary(row, readerOf(request))))
    },
  )

  api.get(
    '/help/insights',
    {
      config: { access: { secret: 'read:help' }, reads: 'replica' },
      schema: {
        tags,
        operationId: 'getHelpInsights',
        summary: 'Get insights into the help center',
        description:
          'The answer has searches without results, articles that did not help, and the articles that are read most.',
        querystring: InsightsQuery,
        response: { 200: envelope(HelpInsights) },
      },
    },
    async (request) => {
      const { searches, votes, views } = await request.inProject((ctx) => readInsights(ctx, request.query))
      return ok({
        searches_without_result: searches,
        low_votes: votes.map(({ id, ...row }) => ({ article_id: toId(articleId, id), ...row })),
        views: views.map(({ id, ...row }) => ({ article_id: toId(articleId, id), ...row })),
      })
    },
  )
}
