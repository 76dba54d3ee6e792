import { Type } from 'typebox'
import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { ByProject } from '../schema.ts'
import { openSide } from '../service.ts'
import { findById, findByWords } from './find.ts'
import { FoundThing, SearchQuery } from './schema.ts'

export function searchRoutes(api: Api, deps: AreaDeps): void {
  searchConsoleRoute(api, deps)
}

function searchConsoleRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/projects/:id/search',
    {
      config: { access: { operator: 'viewer' } },
      schema: {
        tags: ['Search'],
        operationId: 'searchConsole',
        summary: 'Find anything of a project',
        description:
          'An id finds the thing that has it, and the id of a request that request. Other texts find orders and bills by their numbers, discounts by their codes, members by name and address, and everything else by name or words; what fits exactly comes first. At most five of each kind are found.',
        params: ByProject,
        querystring: SearchQuery,
        response: { 200: envelope(Type.Array(FoundThing)) },
      },
    },
    async (request) => {
      const { environment, q } = request.query
      const side = await openSide(request, deps, environment)
      const text = q.trim()
      return (await findById(side, text)) ?? findByWords(side, text, deps.catalogue)
    },
  )
}
