import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { appealPostRoute } from './appeals/routes.ts'
import { categoryRoutes } from './categories/routes.ts'
import { commentRoutes } from './comments/routes.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { threadRoutes } from './threads/routes.ts'
import { threadVerbRoutes } from './threads/verb-routes.ts'

export function discussionRoutes(api: Api, deps: AreaDeps): void {
  threadRoutes(api, deps)
  threadVerbRoutes(api, deps)
  commentRoutes(api, deps)
  categoryRoutes(api)
  moderationRoutes(api, deps)
  appealPostRoute(api, deps)
}
