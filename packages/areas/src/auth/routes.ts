import type { AreaDeps } from '#platform/deps.ts'
import type { Api } from '#platform/http/api.ts'
import { makeIdentity } from './identity.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { mailRoutes } from './mail-links/routes.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { loginRoutes } from './passwords/login-routes.ts'
import { passwordRoutes } from './passwords/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { mfaRoutes } from './second-factors/routes.ts'
import { makeSignUpDeps } from './service.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { ssoRoutes } from './sso/routes.ts'

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
  invitationRoutes(api, identity)
  ssoRoutes(api, deps, identity)
}
