import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { projectRoutes } from './projects/routes.ts'

/** What operators do with projects. */
export function consoleRoutes(api: Api, deps: AreaDeps): void {
  projectRoutes(api, deps)
}
