import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import type { Identity } from '../identity.ts'
import { connectionRoutes } from './connections/routes.ts'
import { ssoBrowserRoutes } from './login/browser-routes.ts'
import { ssoLoginRoutes } from './login/routes.ts'
import { makeSsoTools } from './tools.ts'

export function ssoRoutes(api: Api, deps: AreaDeps, identity: Identity): void {
  const tools = makeSsoTools(deps)
  api.addHook('onClose', () => tools.outbound.close())
  api.addHook('onClose', () => tools.saml.close())
  connectionRoutes(api, tools)
  ssoLoginRoutes(api, identity, tools)
  // The scope is separate, because errors are pages in it.
  api.register(async (scope) => ssoBrowserRoutes(scope as unknown as Api, deps, tools))
}
