import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import type { Identity } from './identity.ts'
import { makeIdentity } from './identity.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { mailRoutes } from './mail-links/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { loginRoutes } from './passwords/login-routes.ts'
import { passwordRoutes } from './passwords/routes.ts'
import { ownDataRoutes } from './profile/own-data-routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { mfaRoutes } from './second-factors/routes.ts'
import { makeSignUpDeps } from './service.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { connectionRoutes } from './sso/connections/routes.ts'
import { ssoBrowserRoutes } from './sso/login/browser-routes.ts'
import { ssoLoginRoutes } from './sso/login/routes.ts'
import { makeSsoTools } from './sso/tools.ts'

export function ssoRoutes(api: Api, deps: AreaDeps, identity: Identity): void {
  const tools = makeSsoTools(deps)
  api.addHook('onClose', () => tools.outbound.close())
  api.addHook('onClose', () => tools.saml.close())
  connectionRoutes(api, tools)
  ssoLoginRoutes(api, identity, tools)
  // The scope is separate, because errors are pages in it.
  api.register(async (scope) => ssoBrowserRoutes(scope as unknown as Api, deps, tools))
}

export function authRoutes(api: Api, deps: AreaDeps): void {
  // Tokens are in the answers.
  api.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
  })
  const identity = makeIdentity(deps)
  loginRoutes(api, identity, makeSignUpDeps(deps))
  mailRoutes(api, identity)
  passwordRoutes(api, identity)
  mfaRoutes(api, identity)
  passkeyRoutes(api, identity)
  sessionRoutes(api)
  profileRoutes(api, deps)
  ownDataRoutes(api, deps, identity)
  invitationRoutes(api, identity)
  ssoRoutes(api, deps, identity)
}
