import { type Static, Type } from 'typebox'
import { Email, FullName } from '#areas/members/schema.ts'
import { findMember, updateMember } from '#areas/members/service.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { forbidden, invalidToken } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { envelope, strict } from '#platform/http/envelope.ts'
import { countAuthentication } from '#platform/http/server/authenticate.ts'
import { findAdministrator, findIdleSession } from '#platform/operators/queries.ts'
import { recentLoginRequired, ssoRequired } from '../errors.ts'
import { type Identity, makeIdentity } from '../identity.ts'
import { invitationRoutes } from '../invitations/routes.ts'
import { mailRoutes } from '../mail-links/routes.ts'
import { passkeyRoutes } from '../passkeys/routes.ts'
import { loginRoutes } from '../passwords/login-routes.ts'
import { passwordRoutes } from '../passwords/routes.ts'
import { Ended, Logout } from '../schema.ts'
import { mfaRoutes } from '../second-factors/routes.ts'
import { makeSignUpDeps, prepareEmailChange, requestMail } from '../service.ts'
import { logOut } from '../sessions/log-out.ts'
import { sessionRoutes } from '../sessions/routes.ts'
import { deviceOf, endSession, present, refreshSession } from '../sessions/sessions.ts'
import { ssoLoginRoutes } from '../sso/login/routes.ts'
import { makeSsoTools } from '../sso/tools.ts'
import { successorOf } from '../tokens/refresh-token.ts'
import { asConsole, assertRecentLogin, toOperator } from './as-console.ts'
import { confirmOperatorRoute } from './confirm.ts'
import { keepIdle, noteActivityRoute } from './idle.ts'
import { RefreshCookie } from './refresh-cookie.ts'
import { ConsoleRefreshed, Me } from './schema.ts'
import { ConsoleConnection, consoleSsoRoutes } from './single-sign-on.ts'

const tags = ['Log in']

/** How operators log in and stay logged in. */
export function authConsoleRoutes(api: Api, deps: AreaDeps): void {
  const { BASE_URL, CONSOLE_SIGNUP } = deps.config
  const cookie = new RefreshCookie(BASE_URL)
  const identity = makeIdentity(deps)
  const assertOpen = () => {
    if (CONSOLE_SIGNUP !== 'open') throw forbidden(SIGN_UP_CLOSED)
  }
  const asksForMember = ({ body }: { body: unknown }) => {
    if ((body as { create_member?: boolean }).create_member === true) assertOpen()
  }
  const tools = makeSsoTools(deps)
  api.addHook('onClose', () => tools.outbound.close())
  api.addHook('onClose', () => tools.saml.close())
  const connection = new ConsoleConnection(deps, tools)
  const members = asConsole(api, {
    cookie,
    without: new Set(['/auth/refresh', '/auth/logout', '/auth/sso/connections']),
    // What is added stays: a token that was stolen must not become a way in for good.
    recent: new Set(['/auth/mfa/totp', '/auth/passkeys/options']),
    before: {
      '/auth/signup': assertOpen,
      '/auth/magic-link': asksForMember,
      '/auth/sso/start': () => connection.ensure(),
    },
  })
  loginRoutes(members, identity, makeSignUpDeps(deps))
  mailRoutes(members, identity)
  passwordRoutes(members, identity)
  mfaRoutes(members, identity)
  passkeyRoutes(members, identity)
  sessionRoutes(members)
  consoleSsoRoutes(api, deps, tools, connection)
  ssoLoginRoutes(members, identity, tools)
  invitationRoutes(members, identity)
  refreshOperatorRoute(api, deps, { identity, cookie })
  logOutOperatorRoute(api, identity, cookie)
  confirmOperatorRoute(api, identity)
  noteActivityRoute(api, deps)
  getMeRoute(api, deps)
  updateMeRoute(api, deps)
}

const SIGN_UP_CLOSED =
  'Nobody can sign up to this console: ask an operator for an invitation, or the administrators of the installation'

interface RefreshParts {
  readonly identity: Identity
  readonly cookie: RefreshCookie
}

function refreshOperatorRoute(api: Api, { limiter }: AreaDeps, { identity, cookie }: RefreshParts): void {
  api.post(
    '/refresh',
    {
      config: { access: { operator: 'entry' } },
      schema: {
        tags,
        operationId: 'refreshOperator',
        summary: 'Get a new access token',
        description:
          'The cookie has the refresh token. The answer sets the cookie to the next one. Only a refused token counts as an authentication of the client address.',
        response: { 200: ConsoleRefreshed },
      },
    },
    async (request, reply) => {
      const token = cookie.read(request)
      if (token === undefined) throw invalidToken('unknown_token')
      const successor = successorOf(identity.successorHash, token)
      const device = deviceOf(request)
      const session = await request.write(async (ctx) => {
        const renewed = await refreshSession(ctx, token, successor, device)
        if (typeof renewed === 'string') return renewed
        const { memberId, sessionId } = renewed.claims
        if ((await findIdleSession(ctx, { sessionId })) === undefined) return renewed
        await endSession(ctx, memberId, sessionId, 'logout')
        return 'session_ended' as const
      })
      if (typeof session === 'string') {
        cookie.clear(reply)
        // Only what is refused counts: behind one address are all operators of an office.
        await countAuthentication(request, reply, limiter)
        throw invalidToken(session)
      }
      const shown = await present(identity, session)
      cookie.set(reply, shown.refresh_token)
      return { session: shown }
    },
  )
}

function logOutOperatorRoute(api: Api, identity: Identity, cookie: RefreshCookie): void {
  api.post(
    '/logout',
    {
      config: { access: { operator: 'self' } },
      schema: {
        tags,
        operationId: 'logOutOperator',
        summary: 'Log out',
        description: 'Access tokens and operator tokens of the ended sessions stop working within a second.',
        body: Logout,
        response: { 200: envelope(Ended) },
      },
    },
    async (request, reply) => {
      const { scope } = request.body
      const ended = await logOut(request, identity, scope)
      if (scope !== 'others') cookie.clear(reply)
      return { ended }
    },
  )
}

async function readMe(request: Parameters<typeof memberOf>[0], deps: AreaDeps): Promise<Static<typeof Me>> {
  const { config } = deps
  const { memberId } = memberOf(request)
  const { member, administrator } = await request.read({
    member: findMember({ id: memberId }),
    administrator: findAdministrator({ operatorId: memberId }),
  })
  if (member === undefined) throw invalidToken('session_ended')
  return {
    ...toOperator(member),
    is_administrator: administrator !== undefined,
    created_at: member.created_at,
    last_login_at: member.last_login_at ?? null,
    sign_up: config.CONSOLE_SIGNUP,
    idle_minutes: await keepIdle(request, deps, false),
  }
}

function getMeRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/me',
    {
      config: { access: { operator: 'self' } },
      schema: {
        tags,
        operationId: 'getMe',
        summary: 'Get the operator who is logged in',
        response: { 200: envelope(Me) },
      },
    },
    async (request) => readMe(request, deps),
  )
}

const MeChanges = strict(
  { full_name: Type.Optional(FullName), email: Type.Optional(Email) },
  { title: 'MeChanges' },
)

function updateMeRoute(api: Api, deps: AreaDeps): void {
  api.patch(
    '/me',
    {
      config: { access: { operator: 'self' }, errors: [ssoRequired, recentLoginRequired] },
      schema: {
        tags,
        operationId: 'updateMe',
        summary: 'Change the operator who is logged in',
        description:
          'A new address is used after it is confirmed. A mail is sent to it. A new address needs a log-in, or a `POST /confirm`, within the last 10 minutes.',
        body: MeChanges,
        response: { 200: envelope(Me) },
      },
    },
    async (request) => {
      const { memberId, projectId } = memberOf(request)
      const { email, full_name } = request.body
      if (email !== undefined) await assertRecentLogin(request)
      const mail =
        email === undefined
          ? undefined
          : await prepareEmailChange(request, deps.limiter, projectId, { memberId, email })
      await request.write(async (ctx) => {
        if (mail) requestMail(ctx, mail)
        if (full_name !== undefined) await updateMember(ctx, memberId, { full_name })
      })
      return readMe(request, deps)
    },
  )
}
