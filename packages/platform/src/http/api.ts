import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import cors, { type FastifyCorsOptions, type FastifyCorsOptionsDelegateCallback } from '@fastify/cors'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RawServerDefault,
} from 'fastify'
import { inProject } from '../db/tenant.ts'
import type { Deps } from '../deps.ts'
import type { Log } from '../log.ts'
import { registerMailbox } from '../ops/dev-mailbox.ts'
import { registerOpsQueues } from '../ops/queues-page.ts'
import { registerIdempotency } from './idempotency/idempotency.ts'
import { registerOpenApi } from './openapi/openapi.ts'
import { registerReferencePage } from './openapi/reference-page.ts'
import { authenticator, callerOf } from './server/authenticate.ts'
import { checkRoute } from './server/check-route.ts'
import { handleClientError } from './server/client-error.ts'
import { registerDrain } from './server/drain.ts'
import { handleError, handleNotFound } from './server/error-handler.ts'
import { registerJwks } from './server/jwks.ts'
import { successorLink, toSuccessor } from './server/legacy-prefix.ts'
import { registerProbes } from './server/probes.ts'
import { securityHeaders } from './server/security-headers.ts'
import { traceRequests } from './server/trace-requests.ts'
import { parseJsonBody } from './validation/json-body.ts'
import { refuseUnreadable, validatorCompiler } from './validation/validation.ts'

/** An API under construction: routes take their types from their schemas. */
export type Api = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, Log, TypeBoxTypeProvider>

/** The endpoints of one area. Most need nothing but the request's door to the data. */
export type Routes = (api: Api, deps: Deps) => void

/** Largest body of a request, except uploads. */
const BODY_LIMIT = 1024 * 1024
/** A client that sends slower than this is not waited for. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** How often connections are looked at for these limits. */
const TIMEOUT_CHECK_MS = 2_000

/**
 * Builds the API from the registry of areas; nothing listens yet.
 * @param pages what areas show to people, below the root
 */
export async function buildApi(
  deps: Deps,
  areas: Readonly<Record<string, Routes>>,
  pages: Readonly<Record<string, Routes>> = {},
): Promise<Api> {
  const { config, log, metrics } = deps
  const api = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    // A request that comes on an open connection while the server closes is answered like any other, and the last.
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    genReqId: (request) => acceptedId(request.headers['x-request-id']) ?? `req_${randomUUID()}`,
    rewriteUrl: toSuccessor,
    routerOptions: { maxParamLength: 200 },
    // Answered before there is a route, so that no hook runs.
    frameworkErrors: (error, request, reply) => {
      describe(request, reply)
      handleError(error, request, reply)
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  api.setValidatorCompiler(validatorCompiler)
  api.setErrorHandler(handleError)
  api.removeAllContentTypeParsers()
  api.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => parseJsonBody(body),
  )
  api.decorateRequest('key', undefined)
  api.decorateRequest('member', undefined)
  api.decorateRequest('standing', undefined)
  api.decorateRequest('inProject', function (work) {
    const { projectId, actor } = callerOf(this)
    return inProject(deps.pool, projectId, actor, work)
  })

  api.addHook('onRoute', checkRoute)
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) traceRequests(api)
  await api.register(cors, { delegator: corsFor })
  api.addHook('onRequest', (request, reply, done) => {
    describe(request, reply)
    done()
  })
  api.addHook('onRequest', authenticator(deps))
  api.addHook('preValidation', (request, _reply, done) => {
    refuseUnreadable(request.url)
    done()
  })
  api.addHook('onResponse', (request, reply, done) => {
    const { method, url: route = 'unknown' } = request.routeOptions
    const status = reply.statusCode
    metrics.requests.observe({ method: String(method), route, status }, reply.elapsedTime / 1_000)
    log.info(
      {
        id: request.id,
        method: request.method,
        route,
        status,
        ms: reply.elapsedTime,
        key_id: request.key?.publicId,
        member_id: request.member?.memberId,
      },
      'request',
    )
    done()
  })

  registerIdempotency(api, deps)
  await registerOpenApi(api, deps)
  registerReferencePage(api, deps)
  registerProbes(api, deps)
  registerMailbox(api, deps)
  await registerOpsQueues(api, deps)
  registerDrain(api)
  registerJwks(api, deps)
  await registerAll(api, deps, areas, '/api/v1')
  await registerAll(api, deps, pages, '')
  api.setNotFoundHandler(handleNotFound)
  return api
}

async function registerAll(
  api: Api,
  deps: Deps,
  areas: Readonly<Record<string, Routes>>,
  prefix: string,
): Promise<void> {
  for (const [area, routes] of Object.entries(areas)) {
    await api
      .register(async (scope) => routes(scope as unknown as Api, deps), { prefix })
      .after((error) => {
        if (error)
          throw new Error(`the routes of ${area} cannot be registered: ${error.message}`, { cause: error })
      })
  }
}

/** The headers that every answer carries. */
function describe(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders)
  reply.header('x-request-id', request.id)
  successorLink(request, reply)
}

/** What a browser may read of an answer besides its body. */
const EXPOSED = [
  'Idempotent-Replayed',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
]

/** Browsers may call from every origin; a key's own origins are checked with the key. Servers are told nothing of it. */
const FOR_BROWSERS: FastifyCorsOptions = {
  origin: true,
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: EXPOSED,
  maxAge: 600,
}
const FOR_SERVERS: FastifyCorsOptions = { origin: false }

const corsFor: FastifyCorsOptionsDelegateCallback = (request, decide) =>
  decide(null, request.headers.origin === undefined ? FOR_SERVERS : FOR_BROWSERS)

/** A caller may name its request, in characters that are safe in a log. */
function acceptedId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\w.-]{1,64}$/.test(header) ? header : undefined
}
