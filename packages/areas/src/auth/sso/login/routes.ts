import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { envelope } from '#platform/http/envelope.ts'
import { invalidCode, providerUnavailable } from '../../errors.ts'
import type { Identity } from '../../identity.ts'
import { SignInAnswer } from '../../schema.ts'
import { deviceOf } from '../../sessions/sessions.ts'
import { presentSignIn } from '../../sessions/sign-in.ts'
import { listOffered } from '../connections/queries.ts'
import { SSO_ERRORS } from '../protocols/person.ts'
import { ExchangeRequest, OfferedConnection, OfferQuery, Started, StartRequest } from '../schema.ts'
import type { SsoTools } from '../tools.ts'
import { exchangeCode } from './exchange.ts'
import { domainOf } from './policy.ts'
import { startSso } from './start.ts'

const tags = ['Single sign-on']
const entry = { access: { secret: 'any', public: 'auth' }, countsAsAuthentication: true } as const
const ERRORS = SSO_ERRORS.map((error) => `\`${error}\``).join(', ')

/** The endpoints that login pages call. */
export function ssoLoginRoutes(api: Api, identity: Identity, tools: SsoTools): void {
  listOfferedSsoConnectionsRoute(api)
  startSsoRoute(api, tools)
  exchangeSsoCodeRoute(api, identity)
}

function listOfferedSsoConnectionsRoute(api: Api): void {
  api.get(
    '/auth/sso/connections',
    {
      config: entry,
      schema: {
        tags,
        operationId: 'listOfferedSsoConnections',
        summary: 'List the connections for a login page',
        description:
          'The answer has the connections for everybody and those for the domain of the address. It does not show whether the address has an account. If a connection is `required`, its addresses cannot log in in another way.',
        querystring: OfferQuery,
        response: { 200: envelope(Type.Array(OfferedConnection)) },
      },
    },
    async (request) => {
      const domain = domainOf(request.query.email ?? '')
      const { offered } = await request.read({ offered: listOffered({ domain }) })
      return offered
    },
  )
}

function startSsoRoute(api: Api, tools: SsoTools): void {
  api.post(
    '/auth/sso/start',
    {
      config: { ...entry, errors: [providerUnavailable] },
      schema: {
        tags,
        operationId: 'startSso',
        summary: 'Start a login by single sign-on',
        description: `Send the browser to \`url\`. The browser comes back to \`redirect_url\` with a one-time \`code\` for \`POST /auth/sso/exchange\`, or with an \`error\`: ${ERRORS}.`,
        body: StartRequest,
        response: { 200: envelope(Started) },
      },
    },
    async (request) => ({ url: await startSso(request, tools, request.body) }),
  )
}

function exchangeSsoCodeRoute(api: Api, identity: Identity): void {
  api.post(
    '/auth/sso/exchange',
    {
      config: { ...entry, errors: [invalidCode] },
      schema: {
        tags,
        operationId: 'exchangeSsoCode',
        repeatCosts: true,
        summary: 'Finish a login by single sign-on',
        description:
          'A code works once, and only with the `code_verifier` of its login. After a wrong verifier the code stops working. `aal` is `aal2` if the provider says that it asked for a second factor. An existing member who uses the connection for the first time is asked for their own second factor, unless the provider asked for one. Later logins are not.',
        body: ExchangeRequest,
        response: { 200: SignInAnswer },
      },
    },
    async (request) => {
      const { code, code_verifier } = request.body
      const device = deviceOf(request)
      const signedIn = await request.write((ctx) => exchangeCode(ctx, code, code_verifier, device))
      if (!signedIn || signedIn.outcome === 'sso_required') throw invalidCode()
      return presentSignIn(identity, signedIn)
    },
  )
}
