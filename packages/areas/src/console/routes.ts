import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { auditRoutes } from './audit-log/routes.ts'
import { deviceRoutes } from './devices/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { lifecycleRoutes } from './lifecycle/routes.ts'
import { markdownRoutes } from './markdown/routes.ts'
import { memberSessionRoutes } from './member-session/routes.ts'
import { overviewRoutes } from './overview/routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { settingsRoutes } from './settings/routes.ts'
import { teamRoutes } from './team/routes.ts'
import { timelineRoutes } from './timeline/routes.ts'
import { transferRoutes } from './transfers/routes.ts'

/** What operators do with projects. */
export function consoleRoutes(api: Api, deps: AreaDeps): void {
  projectRoutes(api, deps)
  teamRoutes(api, deps)
  keyRoutes(api, deps)
  settingsRoutes(api, deps)
  auditRoutes(api, deps)
  lifecycleRoutes(api, deps)
  transferRoutes(api, deps)
  overviewRoutes(api, deps)
  searchRoutes(api, deps)
  timelineRoutes(api, deps)
  markdownRoutes(api, deps)
  memberSessionRoutes(api, deps)
  deviceRoutes(api, deps)
}
