import { emailTaken } from '#areas/members/errors.ts'
import { invalidToken } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { envelope, envelopeOf } from '#platform/http/envelope.ts'
import {
  accountDeleted,
  accountPending,
  emailNotVerified,
  invalidCredentials,
  ssoRequired,
} from '../errors.ts'
import type { Identity } from '../identity.ts'
import { Ended, Login, Logout, Refresh, Session, SignInAnswer, SignUp, SignUpAnswer } from '../schema.ts'
import type { SignUpDeps } from '../service.ts'
import { logOut } from '../sessions/log-out.ts'
import { deviceOf, present, refreshSession } from '../sessions/sessions.ts'
import { presentSignIn } from '../sessions/sign-in.ts'
import { assertNoSsoRequired } from '../sso/login/policy.ts'
import { successorOf } from '../tokens/refresh-token.ts'
import { logIn } from './log-in.ts'
import { signUp } from './sign-up.ts'

const tags = ['Authentication']
/** Routes for sites and their servers, for a person who is not logged in yet. */
const entry = { access: { secret: 'any', public: 'auth' }, countsAsAuthentication: true } as const

export function loginRoutes(api: Api, identity: Identity, signUpDeps: SignUpDeps): void {
  signUpRoute(api, identity, signUpDeps)
  logInRoute(api, identity)
  refreshSessionRoute(api, identity)
  logOutRoute(api, identity)
}

function signUpRoute(api: Api, identity: Identity, signUpDeps: SignUpDeps): void {
  api.post(
    '/auth/signup',
    {
      config: {
        ...entry,
        errors: [emailTaken, ssoRequired],
      },
      schema: {
        tags,
        operationId: 'signUp',
        summary: 'Sign up',
        description:
          'If the project confirms addresses, the member is `pending`, there is no session yet, and a mail is sent. The answer is the same for an address that is taken.',
        body: SignUp,
        response: { 201: SignUpAnswer },
      },
    },
    async (request) => {
      await assertNoSsoRequired(request, request.body.email)
      const { member, signedIn } = await signUp(request, signUpDeps, request.body)
      const session = signedIn?.outcome === 'session' ? await present(identity, signedIn.session) : null
      return { member, session }
    },
  )
}

function logInRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/login',
    {
      config: {
        ...entry,
        errors: [invalidCredentials, emailNotVerified, ssoRequired, accountPending, accountDeleted],
      },
      schema: {
        tags,
        operationId: 'logIn',
        summary: 'Log in by password',
        description:
          'After ten failures within 15 minutes an account answers 429 to every password. An address without an account behaves in the same way. A backend that logs its visitors in with a secret key sends the address of each visitor in `X-Client-IP`: each address has a limit of 20 requests per minute.',
        body: Login,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      await assertNoSsoRequired(request, request.body.email)
      return presentSignIn(identity, await logIn(request, reply, identity, request.body))
    },
  )
}

function refreshSessionRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/refresh',
    {
      config: entry,
      schema: {
        tags,
        operationId: 'refreshSession',
        summary: 'Get new tokens',
        description:
          'A refresh token works once. If the same token is sent again within 10 seconds, for example by another tab, the answer is the same. If it is sent later, the session ends, because somebody else may have the token.',
        body: Refresh,
        response: { 200: envelopeOf({ session: Session }) },
      },
    },
    async (request) => {
      const { refresh_token } = request.body
      const successor = successorOf(identity.successorHash, refresh_token)
      const device = deviceOf(request)
      const session = await request.write((ctx) => refreshSession(ctx, refresh_token, successor, device))
      if (typeof session === 'string') throw invalidToken(session)
      return { session: await present(identity, session) }
    },
  )
}

function logOutRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/logout',
    {
      config: { access: { user: 'self' } },
      schema: {
        tags,
        operationId: 'logOut',
        summary: 'Log out',
        description: 'The access tokens of the ended sessions stop working within a second.',
        body: Logout,
        response: { 200: envelope(Ended) },
      },
    },
    async (request) => ({ ended: await logOut(request, identity, request.body.scope) }),
  )
}
