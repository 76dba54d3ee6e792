import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { articleRoutes } from './articles/routes.ts'
import { articleVerbRoutes } from './articles/verb-routes.ts'
import { categoryRoutes } from './categories/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { translationRoutes } from './translations/routes.ts'
import { helpVoteRoutes } from './votes/routes.ts'

export function helpRoutes(api: Api, deps: AreaDeps): void {
  categoryRoutes(api)
  articleRoutes(api, deps)
  articleVerbRoutes(api)
  translationRoutes(api, deps)
  searchRoutes(api)
  helpVoteRoutes(api)
}
