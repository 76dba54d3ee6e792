import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { defineError } from '#platform/define-error.ts'
import type { AreaDeps, AsSystem } from '#platform/deps.ts'
import { ApiError, notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { strict } from '#platform/http/envelope.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { pageHeaders } from '#platform/http/public-page.ts'
import { subscriberOf } from '#platform/http/server/client-address.ts'
import { handleError } from '#platform/http/server/error-handler.ts'
import { invalidState } from '../../errors.ts'
import { findSiteOf } from '../../pages/follow-link.ts'
import { renderPage } from '../../pages/page.ts'
import { getConnection } from '../connections/queries.ts'
import { serviceMetadata } from '../protocols/saml.ts'
import { ById } from '../schema.ts'
import type { SsoTools } from '../tools.ts'
import { ssoCallback } from './sso-callback.ts'

const tags = ['Single sign-on']
const FORM = 'application/x-www-form-urlencoded'
const METADATA = 'application/samlmetadata+xml'
/** Visits per minute of one client address. Many people of a company can share an address. */
const VISITS = 100
/** Only for the document: the limiter sends this error with its numbers. */
const tooManyVisits = defineError({
  code: 'RATE_LIMITED',
  status: 429,
  message: 'Too many visits from this address; wait for the number of seconds in `Retry-After`',
})
const config = {
  access: 'open',
  errors: [invalidState, tooManyVisits],
} as const

const word = (description: string, maxLength = 2_048) =>
  Type.Optional(Type.String({ maxLength, description }))
const State = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The state that the login sent to the provider',
})
export const Callback = strict({
  state: State,
  code: word('The authorization code of the provider', 4_096),
  iss: word('The issuer that the provider names'),
  error: word('The error of the provider, if it sends no code', 256),
})
const SamlForm = strict({
  SAMLResponse: Type.String({
    minLength: 1,
    maxLength: 524_288,
    description: 'The answer of the provider, in base64',
    examples: ['PHNhbWxwOlJlc3BvbnNlLz4='],
  }),
  RelayState: Type.Optional({ ...State, examples: ['c3RhdGU'] }),
})
const back = {
  303: {
    type: 'null',
    headers: {
      Location: {
        type: 'string',
        description: 'The `redirect_url`, with a one-time `code` or with an `error`',
      },
    },
  },
} as const

/** The addresses to which providers send browsers. Requests have no credential: the state decides which login it is. */
export function ssoBrowserRoutes(api: Api, deps: AreaDeps, tools: SsoTools): void {
  forBrowsers(api, deps)
  api.addContentTypeParser(FORM, { parseAs: 'string' }, async (_request: unknown, body: string) =>
    Object.fromEntries(
      [...new URLSearchParams(body)].filter(([name]) => Object.hasOwn(SamlForm.properties, name)),
    ),
  )

  finishOidcLoginRoute(api, deps, tools)
  finishOldOidcLoginRoute(api, deps, tools)
  finishSamlLoginRoute(api, deps, tools)
  getSamlServiceMetadataRoute(api, deps, tools)
}

/** Limits visits of one address, and answers errors with pages: visitors normally use a browser. */
export function forBrowsers(api: Api, { asSystem, limiter }: AreaDeps): void {
  api.setErrorHandler((error: FastifyError | ApiError, request, reply) =>
    wantsPage(request) ? sendPage(asSystem, error, request, reply) : handleError(error, request, reply),
  )
  api.addHook('onRequest', async (request, reply) => {
    const id = `sso:${subscriberOf(request.ip)}`
    enforceLimit(request, reply, await limiter.take({ policy: 'address', id, points: VISITS }))
  })
}

function finishOidcLoginRoute(api: Api, { asSystem }: AreaDeps, tools: SsoTools): void {
  api.get(
    '/auth/sso/:id/callback',
    {
      config,
      preValidation: withoutUnknown,
      schema: {
        tags,
        operationId: 'finishOidcLogin',
        sdk: 'auth.sso.finishOidc',
        summary: 'Return from an OpenID provider',
        description:
          'Browsers come here from the provider. Each state works once, and only at the address of its own connection.',
        params: ById,
        querystring: Callback,
        response: back,
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const parameters = request.query
      const answer = { type: 'oidc', parameters } as const
      return redirectTo(
        reply,
        await ssoCallback(asSystem, tools, { state: parameters.state, answer, connectionId: id }),
      )
    },
  )
}

function finishOldOidcLoginRoute(api: Api, { asSystem }: AreaDeps, tools: SsoTools): void {
  api.get(
    '/auth/sso/callback',
    {
      config,
      preValidation: withoutUnknown,
      schema: {
        tags,
        operationId: 'finishOldOidcLogin',
        sdk: 'auth.sso.finishOldOidc',
        summary: 'Return from an OpenID provider to the old address',
        description:
          'All connections had this address once. It works for connections with `uses_old_callback`, if each is the only one to its provider.',
        deprecated: true,
        querystring: Callback,
        response: back,
      },
    },
    async (request, reply) => {
      const parameters = request.query
      const answer = { type: 'oidc', parameters } as const
      const came = { state: parameters.state, answer, connectionId: undefined }
      return redirectTo(reply, await ssoCallback(asSystem, tools, came))
    },
  )
}

function finishSamlLoginRoute(api: Api, { asSystem, connectionOwners }: AreaDeps, tools: SsoTools): void {
  api.post(
    '/auth/sso/:id/acs',
    {
      config,
      schema: {
        tags,
        operationId: 'finishSamlLogin',
        sdk: 'auth.sso.finishSaml',
        summary: 'Return from a SAML provider',
        description:
          'Browsers come here from the provider with its answer (HTTP-POST). A login that starts at the provider is refused: start it with `POST /auth/sso/start`.',
        consumes: [FORM],
        params: ById,
        body: SamlForm,
        response: back,
      },
    },
    async (request, reply) => {
      const { id } = request.params
      if (!(await connectionOwners.find(id))) throw notFound('SSO connection')
      const { SAMLResponse: response, RelayState: state = '' } = request.body
      const answer = { type: 'saml', response } as const
      return redirectTo(reply, await ssoCallback(asSystem, tools, { state, answer, connectionId: id }))
    },
  )
}

function getSamlServiceMetadataRoute(
  api: Api,
  { asSystem, connectionOwners }: AreaDeps,
  tools: SsoTools,
): void {
  api.get(
    '/auth/sso/:id/metadata',
    {
      config: { access: 'open', errors: [tooManyVisits] },
      schema: {
        tags,
        operationId: 'getSamlServiceMetadata',
        summary: 'Get the SAML metadata of a connection',
        description:
          'The provider needs this document. Its address is the entity id of the service. An OpenID connection has no such document.',
        params: ById,
        response: {
          200: {
            description: 'SAML metadata of a service provider',
            content: {
              [METADATA]: { schema: Type.String({ examples: ['<EntityDescriptor>…</EntityDescriptor>'] }) },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const projectId = await connectionOwners.find(id)
      if (projectId === undefined) throw notFound('SSO connection')
      const { places } = tools
      const data = asSystem(projectId, 'sso.metadata')
      const { connection } = await data.read({ connection: getConnection({ id, places }) })
      if (connection.type !== 'saml') throw notFound('SSO connection')
      const xml = await serviceMetadata({ acs: places.acs(id), entityId: places.metadata(id) })
      return reply.type(METADATA).send(xml)
    },
  )
}

export function redirectTo(reply: FastifyReply, target: string | undefined): FastifyReply {
  if (target === undefined) throw invalidState()
  return reply.redirect(target, 303)
}

interface Sent {
  readonly state?: unknown
  readonly RelayState?: unknown
}

const wantsPage = (request: FastifyRequest) => request.headers.accept?.includes('text/html') ?? false

async function sendPage(
  asSystem: AsSystem,
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const status = error instanceof ApiError ? error.status : (error.statusCode ?? 500)
  if (status >= 500) request.log.error({ err: error }, 'page failed')
  const isBusy = status === 429 || status >= 500
  const text = isBusy
    ? 'This is not possible right now. Please try again in a minute.'
    : 'The login has ended, or it took too long. Please go back to the page on which you wanted to log in, and start again.'
  const { state, RelayState = state } = { ...(request.query as Sent), ...(request.body as Sent) }
  const site = isBusy ? undefined : await findSiteOf(asSystem, RelayState)
  const page = renderPage({ site, heading: 'This login does not work', text })
  return reply.code(status).headers(pageHeaders()).send(page)
}

/** Providers add their own parameters, which a client must ignore (RFC 6749, 4.1.2). */
export const withoutUnknown = async (request: { query: unknown }) => {
  const query = request.query as object
  for (const name of Object.keys(query))
    if (!Object.hasOwn(Callback.properties, name)) Reflect.deleteProperty(query, name)
}
