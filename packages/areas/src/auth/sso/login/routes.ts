import { Type } from 'typebox'
import type { Api } from '#platform/http/api.ts'
import { envelope, ok } from '#platform/http/envelope.ts'
import { toId } from '#platform/ids.ts'
import { invalidCode, providerUnavailable } from '../../errors.ts'
import type { Identity } from '../../identity.ts'
import { connectionId } from '../../ids.ts'
import { SignInAnswer } from '../../schema.ts'
import { deviceOf } from '../../sessions/device.ts'
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

/** What login pages call. */
export function ssoLoginRoutes(api: Api, identity: Identity, tools: SsoTools): void {
  api.get(
    '/auth/sso/connections',
    {
      config: entry,
      schema: {
        tags,
        operationId: 'listOfferedSsoConnections',
        summary: 'What a login page offers',
        description:
          'The connections that are for everybody, and those for the domain of the address; whether there is such an ' +
          'account makes no difference. Where one is `required`, no other way to log in works.',
        querystring: OfferQuery,
        response: { 200: envelope(Type.Array(OfferedConnection)) },
      },
    },
    async (request) => {
      const domain = domainOf(request.query.email ?? '')
      const rows = await request.inProject((ctx) => listOffered(ctx, domain))
      return ok(rows.map(toOffered))
    },
  )

  api.post(
    '/auth/sso/start',
    {
      config: { ...entry, errors: [providerUnavailable] },
      schema: {
        tags,
        operationId: 'startSso',
        summary: 'Begin a login by single sign-on',
        description:
          'Send the browser to `url`. It comes back to `redirect_url` with a one-time `code` for `POST ' +
          `/auth/sso/exchange\`, or with an \`error\`: ${ERRORS}.`,
        body: StartRequest,
        response: { 200: envelope(Started) },
      },
    },
    async (request) => ok({ url: await startSso(request, tools, request.body) }),
  )

  api.post(
    '/auth/sso/exchange',
    {
      config: { ...entry, errors: [invalidCode] },
      schema: {
        tags,
        operationId: 'exchangeSsoCode',
        summary: 'Finish a login by single sign-on',
        description:
          'A code works once, and with the `code_verifier` of the login that it ends; a wrong one uses it up. The ' +
          'provider has decided about second factors: `aal` is `aal2` where it says that it asked for one. Only the first ' +
          'login of somebody who was a member before asks for their own one, unless the provider did.',
        body: ExchangeRequest,
        response: { 200: SignInAnswer },
      },
    },
    async (request) => {
      const { code, code_verifier } = request.body
      const device = deviceOf(request)
      const signedIn = await request.inProject((ctx) => exchangeCode(ctx, code, code_verifier, device))
      if (!signedIn || signedIn.outcome === 'sso_required') throw invalidCode()
      return presentSignIn(identity, signedIn)
    },
  )
}

const toOffered = ({ id, type, ...row }: Awaited<ReturnType<typeof listOffered>>[number]) => ({
  ...row,
  id: toId(connectionId, id),
  type: type === 'oidc' ? ('oidc' as const) : ('saml' as const),
})
