import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { muteRoutes } from './mutes/routes.ts'
import { ruleRoutes } from './rules/routes.ts'
import { suspensionRoutes } from './suspensions/routes.ts'

export function moderationRoutes(api: Api, deps: AreaDeps): void {
  suspensionRoutes(api, deps)
  muteRoutes(api)
  ruleRoutes(api, deps)
}
