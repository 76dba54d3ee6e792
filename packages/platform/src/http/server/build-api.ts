import cors, { type FastifyCorsOptions, type FastifyCorsOptionsDelegateCallback } from '@fastify/cors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { type Area, catalogueOf } from '../../area.ts'
import { type AsSystem, asOperatorOf, asSystemOf } from '../../db/tenant.ts'
import { errorsIn } from '../../define-error.ts'
import type { AreaDeps, Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { type ProjectStates, projectSuspended } from '../../keys/project-states.ts'
import { ConsoleAddresses } from '../../operators/console-addresses.ts'
import { registerMailbox } from '../../ops/dev-mailbox.ts'
import { registerOpsQueues } from '../../ops/queues-page.ts'
import { ConfigError } from '../../parse-config.ts'
import { elderOf } from '../../secrets/secret-keys.ts'
import { inRequest } from '../../telemetry/request-context.ts'
import { LARGE_JSON } from '../../threads/event-loop-turns.ts'
import type { Asker } from '../../threads/fair-semaphore.ts'
import { free } from '../../values/free.ts'
import type { Api, Routes, RouteTypes } from '../api.ts'
import { compressLists } from '../compression/compress-lists.ts'
import { registerConsole } from '../console/register-console.ts'
import { registerDocs } from '../docs/register-docs.ts'
import { addEtag, ifMatchOf, keyEtags } from '../etag.ts'
import { registerIdempotency } from '../idempotency/idempotency.ts'
import { AnswerBudget, registerAnswerBudget } from '../limits/answer-budget.ts'
import { registerOpenApi } from '../openapi/openapi.ts'
import { parseJsonBody } from '../validation/json-body.ts'
import { refuseUnreadable, validatorCompiler } from '../validation/validation.ts'
import { registerAuthentication } from './authenticate.ts'
import { checkRoute } from './check-route.ts'
import { subscriberOf } from './client-address.ts'
import { handleClientError } from './client-error.ts'
import { CONSOLE_API, consoleOrigins, guardConsole } from './console-access.ts'
import { serveAsDeclared } from './declared-route.ts'
import { registerDrain } from './drain.ts'
import { handleError, handleNotFound } from './error-handler.ts'
import { knowForwarded, registerForwarding } from './forward.ts'
import { registerJwks } from './jwks.ts'
import { successorLink, toSuccessor } from './legacy-prefix.ts'
import { registerLocate } from './locate-route.ts'
import { logRequests } from './log-requests.ts'
import { registerProbes } from './probes.ts'
import { readOf, registerRecentWrites, writeOf } from './request-data.ts'
import { acceptedRequestId, newRequestId } from './request-id.ts'
import { registerRouteHints } from './route-hints.ts'
import { serializerCompiler } from './serializer.ts'
import { noticeUntrustedProxies } from './untrusted-proxy.ts'

/** Largest body of a request, except uploads. */
const BODY_LIMIT = 1024 * 1024
/** A client that sends its request slower than this is disconnected. */
const HEADERS_TIMEOUT_MS = 10_000
const REQUEST_TIMEOUT_MS = 30_000
/** Milliseconds between two checks of these limits. */
const TIMEOUT_CHECK_MS = 2_000

/**
 * Builds the API of these areas; nothing listens yet.
 * @param extra endpoints below /api/v1 of no area, for tests
 */
export async function buildApi(deps: Deps, areas: readonly Area[], extra?: Routes): Promise<Api> {
  const api = makeServer(deps)
  decorateRequests(api, deps)
  await addSteps(api, deps)
  await registerOpenApi(api, deps)
  registerDocs(
    api,
    deps,
    areas.flatMap(({ errors = {} }) => errorsIn(errors)),
  )
  await registerConsole(api, deps.config)
  registerProbes(api, deps)
  registerMailbox(api, deps)
  await registerOpsQueues(api, deps)
  registerDrain(api, deps.config.DRAIN_MS)
  registerJwks(api, deps)
  registerLocate(api, deps)
  const areaDeps = forAreas(deps, areas)
  const inConsole = guarded(deps, new ConsoleAddresses(deps, consoleOrigins(deps.config.BASE_URL)))
  for (const { name, tags = {}, routes, console, pages } of areas) {
    for (const [tag, description] of Object.entries(tags)) api.describeTag(tag, description)
    const [tag, ...others] = Object.keys(tags)
    const onlyTag = others.length === 0 ? tag : undefined
    if (routes) await register(api, areaDeps, { name, routes, prefix: '/api/v1', onlyTag })
    if (console)
      await register(api, areaDeps, {
        name: `${name} in the console`,
        routes: inConsole(console),
        prefix: CONSOLE_API,
        onlyTag,
      })
    if (pages) await register(api, areaDeps, { name, routes: pages, prefix: '', onlyTag })
  }
  if (extra) await register(api, areaDeps, { name: 'extra', routes: extra, prefix: '/api/v1' })
  api.setNotFoundHandler(handleNotFound)
  return api
}

/** Fastify with our limits, and with our ways to read requests and to answer. */
function makeServer({ config, log, turns }: Deps): Api {
  const api = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    // While the server closes, a request on an open connection is still answered; it is the last one of its connection.
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    genReqId: (request) => acceptedRequestId(request.headers['x-request-id']) ?? newRequestId(),
    rewriteUrl: toSuccessor,
    routerOptions: { maxParamLength: 200 },
    // The answer is sent before a route is chosen, so no hook runs.
    frameworkErrors: (error, request, reply) => {
      describe(request, reply)
      handleError(error, request, reply)
    },
  }).withTypeProvider<RouteTypes>()
  api.setValidatorCompiler(validatorCompiler)
  api.setSerializerCompiler(serializerCompiler)
  api.setErrorHandler(handleError)
  api.removeAllContentTypeParsers()
  api.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      if (body.length <= LARGE_JSON) return parseJsonBody(body)
      await turns.next(askerOf(request))
      try {
        return parseJsonBody(body)
      } finally {
        free(body)
      }
    },
  )
  return api
}

/** The steps of a request, in their order: hooks run in the order in which they are added. */
async function addSteps(api: Api, deps: Deps): Promise<void> {
  api.addHook('onRoute', checkRoute)
  api.addHook('onRoute', serveAsDeclared)
  registerRouteHints(api)
  knowForwarded(api, deps.cells)
  keepRequestId(api)
  await traceIfAsked(api, deps)
  noticeUntrustedProxies(api, deps)
  await api.register(cors, { delegator: corsFor })
  api.addHook('onRequest', (request, reply, done) => {
    describe(request, reply)
    done()
  })
  // Before what waits for a server: a request whose client goes meanwhile has a line, too.
  logRequests(api, deps)
  registerForwarding(api, deps.cells)
  registerAuthentication(api, deps)
  api.addHook('preValidation', (request, _reply, done) => {
    refuseUnreadable(request.url)
    done()
  })
  keyEtags(elderOf(deps.config))
  api.addHook('preSerialization', addEtag)
  registerAnswerBudget(api, new AnswerBudget())
  compressLists(api)
  registerIdempotency(api, deps)
  registerRecentWrites(api, deps)
}

/** Who sends a large body: a project, or an address where nobody is known. */
const askerOf = (request: FastifyRequest): Asker => ({
  projectId: (request.key ?? request.member ?? request.operator)?.projectId ?? subscriberOf(request.ip),
})

/** What a request has besides Fastify's: its credential, and its way to the data. */
function decorateRequests(api: Api, deps: Deps): void {
  api.decorateRequest('key', undefined)
  api.decorateRequest('member', undefined)
  api.decorateRequest('operator', undefined)
  api.decorateRequest('consoleProject', undefined)
  api.decorateRequest('actsFor', undefined)
  api.decorateRequest('renamed', undefined)
  api.decorateRequest('rateLimit', undefined)
  api.decorateRequest('ifMatch', {
    getter() {
      return ifMatchOf(this)
    },
  })
  api.decorateRequest('read', function (asks) {
    return readOf(this, deps, asks)
  })
  api.decorateRequest('write', function (work) {
    return writeOf(this, deps, work)
  })
}

/** What a request causes knows the request. */
function keepRequestId(api: Api): void {
  api.addHook('onRequest', (request, _reply, done) => inRequest(request.id, done))
  // The body arrives in events of the socket, which run outside of the request's context.
  api.addHook('preValidation', (request, _reply, done) => inRequest(request.id, done))
}

async function traceIfAsked(api: Api, { config }: Deps): Promise<void> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return
  const { traceRequests } = await import('./trace-requests.ts')
  traceRequests(api)
}

/** The dependencies of areas: everything but the pools, which only the data layer uses. */
function forAreas(all: Deps, areas: readonly Area[]): AreaDeps {
  const {
    pool,
    reportPool: _reports,
    replicas: _replicas,
    reads: _reads,
    recentWrites: _writes,
    ...others
  } = all
  const {
    keys: _keys,
    usage: _usage,
    requestCounts: _counts,
    requestLog: _log,
    cells: _cells,
    ...rest
  } = others
  const { redis: _redis, close: _close, ...deps } = rest
  return {
    ...deps,
    catalogue: catalogueOf(areas),
    asOperator: asOperatorOf(pool),
    asSystem: whileOpen(asSystemOf(pool), all.projectStates),
  }
}

/** A project that rests has no pages and no files for strangers; one that was deleted is as one that never was; one that has moved is elsewhere. */
const whileOpen =
  (asSystem: AsSystem, states: ProjectStates): AsSystem =>
  (projectId, reason, options) => {
    const data = asSystem(projectId, reason)
    if (options?.evenMoved) return data
    const assertOpen = async () => {
      await states.assertHere(projectId)
      if (options?.evenAtRest) return
      const rest = await states.restOf(projectId)
      if (rest === 'suspended') throw projectSuspended()
      if (rest === 'deleted') throw notFound('Page')
    }
    return {
      read: async (asks) => {
        await assertOpen()
        return data.read(asks)
      },
      write: async (work) => {
        await assertOpen()
        return data.write(work)
      },
    }
  }

/** Routes of the console, which other sites may not call. */
const guarded =
  (deps: Deps, addresses: ConsoleAddresses) =>
  (routes: Routes): Routes =>
  (api, areaDeps) => {
    guardConsole(api, deps, addresses)
    return routes(api, areaDeps)
  }

interface Registration {
  readonly name: string
  readonly routes: Routes
  readonly prefix: string
  /** The tag of routes that name none. */
  readonly onlyTag?: string | undefined
}

async function register(api: Api, deps: AreaDeps, registration: Registration): Promise<void> {
  const { name, routes, prefix, onlyTag } = registration
  // Without a name of its own, Fastify looks for the plugin's file among all that were ever loaded.
  const plugin = Object.assign(
    async (scope: FastifyInstance) => {
      scope.addHook('onRoute', ({ schema }) => {
        if (onlyTag !== undefined && schema !== undefined) schema.tags ??= [onlyTag]
      })
      return routes(scope as unknown as Api, deps)
    },
    { [Symbol.for('fastify.display-name')]: name },
  )
  let refused: Error | null | undefined
  await api.register(plugin, { prefix }).after((error) => {
    // Nobody would catch what is thrown in here.
    refused = error
  })
  assertRegistered(name, refused)
}

/** @throws ConfigError where a variable is wrong, and otherwise an error that names the area */
function assertRegistered(name: string, error: Error | null | undefined): void {
  if (!error) return
  if (error instanceof ConfigError) throw error
  throw new Error(`the routes of ${name} cannot be registered: ${error.message}`, { cause: error })
}

/** The headers of every answer. */
function describe(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders)
  reply.header('x-request-id', request.id)
  successorLink(request, reply)
}

/** The headers that scripts in browsers may read. */
const EXPOSED = [
  'ETag',
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

/**
 * Browsers may call from every origin; a key's own origins are checked with the key. Requests without an origin get no
 * such header.
 */
const FOR_BROWSERS: FastifyCorsOptions = {
  origin: true,
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposedHeaders: EXPOSED,
  maxAge: 600,
}
const FOR_SERVERS: FastifyCorsOptions = { origin: false }

const corsFor: FastifyCorsOptionsDelegateCallback = (request, decide) => {
  // No page of another origin reads what the console's API answers.
  const isForAll = request.headers.origin !== undefined && !request.url?.startsWith(CONSOLE_API)
  decide(null, isForAll ? FOR_BROWSERS : FOR_SERVERS)
}

/**
 * The headers of every answer of the API. JSON is no page, so it may not be framed or run, and its type may not be
 * guessed. Each header costs a request about 1 % of its time, so headers that matter only to pages are sent only with
 * pages.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}
