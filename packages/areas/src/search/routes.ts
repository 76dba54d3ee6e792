import { Type } from 'typebox'
import { showingPeople } from '#areas/profiles/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelopeOf, Pagination } from '#platform/http/envelope.ts'
import { viewerOf } from '#platform/http/viewer.ts'
import { placeOf, startOf } from '#platform/lists/pagination.ts'
import { marksOf, showFound } from '#platform/search/marking.ts'
import { assertSeeks } from '#platform/search/search.ts'
import { EverythingQuery, Facets, FoundItem, type FoundType } from './schema.ts'
import { searchEverything, sourcesFor } from './search.ts'

export function searchRoutes(api: Api, { config, catalogue }: AreaDeps): void {
  const people = showingPeople(config)
  api.get(
    '/search',
    {
      config: { access: { secret: 'any', public: 'catalog', user: 'self' } },
      schema: {
        operationId: 'search',
        summary: 'Search everything',
        description:
          'Searches discussions, comments, feedback, published articles of the help center, published courses and active products; the best match comes first, and newer items come before older ones with the same score. The answer, its facets and its total have only what the caller may read: a secret key those types for which it has the permission. Hidden, held and removed posts and drafts are never found. Totals and facets stop at 10,000.',
        querystring: EverythingQuery,
        response: {
          200: envelopeOf({ data: Type.Array(FoundItem), facets: Facets, pagination: Pagination }),
        },
      },
    },
    async (request) => {
      const { query } = request
      assertSeeks('q', query.q)
      const offset = startOf(query)
      const { viewer } = await request.read({ viewer: viewerOf(request) })
      const sources = sourcesFor(request, viewer, catalogue.searchSources, query)
      const { matches, types, total, words } = await searchEverything(request, query, {
        ...{ viewer, sources, offset },
      })
      // Names come first: a mention that is cut would be shown as it is stored.
      const texts = matches.map(({ title, text }) => ({ title: { excerpt: title }, excerpt: text }))
      const { named } = await people.show(request, { named: texts })
      const marks = marksOf(words)
      const data = matches.map(({ kind, publicId, path, score }, i) => {
        const title = named[i]?.title.excerpt ?? ''
        return {
          type: kind as FoundType,
          id: publicId,
          title,
          ...showFound(marks, { title, text: named[i]?.excerpt ?? '' }),
          url_path: path,
          score,
        }
      })
      return { data, facets: { types }, pagination: placeOf(query, offset, total) }
    },
  )
}
