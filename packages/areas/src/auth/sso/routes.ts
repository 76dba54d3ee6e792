import type { Deps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import type { Identity } from '../identity.ts'
import { connectionRoutes } from './connections/routes.ts'
import { ssoBrowserRoutes } from './login/browser-routes.ts'
import { ssoLoginRoutes } from './login/routes.ts'
import { makeSsoTools } from './tools.ts'

export function ssoRoutes(api: Api, deps: Deps, identity: Identity): void {
  api.describeTag('Single sign-on', 'How members log in elsewhere: OpenID Connect and SAML 2.0.')
  const tools = makeSsoTools(deps)
  api.addHook('onClose', () => tools.outbound.close())
  connectionRoutes(api, tools)
  ssoLoginRoutes(api, identity, tools)
  // A scope of its own: errors are pages there.
  api.register(async (scope) => ssoBrowserRoutes(scope as unknown as Api, deps, tools))
}
