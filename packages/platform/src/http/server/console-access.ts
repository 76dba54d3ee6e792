import type { FastifyReply, FastifyRequest } from 'fastify'
import { read } from '../../db/tenant.ts'
import type { Deps } from '../../deps.ts'
import { forbidden, invalidToken, notFound } from '../../errors.ts'
import { parseId } from '../../ids.ts'
import type { ApiKey } from '../../keys/key-store.ts'
import { rateLimitsOf } from '../../keys/rate-limits.ts'
import type { ConsoleAddresses } from '../../operators/console-addresses.ts'
import { includesRole, OPERATORS_PROJECT, type OperatorRole } from '../../operators/operators-project.ts'
import { findAdministrator, findIdleSession, findRole } from '../../operators/queries.ts'
import type { MemberToken } from '../../tokens/access-token.ts'
import type { OperatorAccess } from '../access.ts'
import type { Api } from '../api.ts'
import { enforceLimit } from '../limits/enforce-limits.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'

// Who may call the routes below /console/api (docs/decisions/0028). Operators log in as members of the built-in project;
// their access token opens these routes and no other.

/** Where the console's API is. */
export const CONSOLE_API = '/console/api'

/** Requests per minute of one operator, in the console and with operator tokens together. */
export const OPERATOR_LIMIT = 600

/** The header that a request which changes something must have; a form of another site cannot send it. */
export const CONSOLE_HEADER = 'x-guildhall-console'

/** A project as the request of an operator reaches it. */
export interface ConsoleProject {
  /** The stored id of the project, that is, of its live side. */
  readonly id: string
  /** Null for an administrator of the installation who has no role in this project. */
  readonly role: OperatorRole | null
  /** The row that gave the role. */
  readonly grantId: string | null
}

/** Stands for the console where nobody is logged in yet: a log-in of the built-in project needs no key. */
export const ENTRY_KEY: ApiKey = Object.freeze({
  id: OPERATORS_PROJECT,
  publicId: 'console',
  projectId: OPERATORS_PROJECT,
  environment: 'live',
  type: 'public',
  permissions: new Set<string>(),
  capabilities: new Set(['auth']),
  allowedIps: undefined,
  allowedOrigins: [],
  expiresAt: undefined,
  revokedAt: undefined,
  limits: rateLimitsOf('enterprise', null, {}),
})

/** Counts a request of an operator; it counts for no project. @throws ApiError 429 */
export async function countOperator(
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: RateLimiter,
  operatorId: string,
): Promise<void> {
  const limit = { policy: 'operator', id: operatorId, points: OPERATOR_LIMIT } as const
  enforceLimit(request, reply, await limiter.take(limit))
}

/**
 * Lets an operator who is logged in pass, by the role in the project of the path.
 * @throws ApiError 401 for a member of a project of customers, and for a session that has been idle for too long; 403 without the role, 404 for a project in which the operator has none
 */
export async function authorizeConsole(
  request: FastifyRequest,
  pool: Deps['pool'],
  { memberId: operatorId, projectId, sessionId }: MemberToken,
  { operator: wanted, administrators = false }: { operator: OperatorAccess; administrators?: boolean },
): Promise<void> {
  if (projectId !== OPERATORS_PROJECT) throw invalidToken('not_operator')
  const { id: given } = request.params as { id?: string }
  const liveId = wanted === 'self' || wanted === 'entry' ? undefined : parseId('project', given ?? '')
  // Look-ups of one turn share a round trip, so that of the session costs none of its own.
  const [{ idle }, role, administers] = await Promise.all([
    read(pool, OPERATORS_PROJECT, { idle: findIdleSession({ sessionId }) }),
    liveId === undefined ? undefined : read(pool, liveId, { found: findRole({ operatorId }) }),
    wanted === 'administrator' && isAdministrator(pool, operatorId),
  ])
  if (idle !== undefined) throw invalidToken('session_ended')
  if (wanted === 'self' || wanted === 'entry') return
  if (wanted === 'administrator') {
    if (!administers) throw forbidden('This is for administrators of the installation')
    if (given === undefined) return
  }
  if (liveId === undefined || liveId === OPERATORS_PROJECT) throw notFound('Project')
  const found = role?.found
  request.consoleProject = { id: liveId, role: found?.role ?? null, grantId: found?.grantId ?? null }
  if (wanted === 'administrator') return
  if (found !== undefined && includesRole(found.role, wanted)) return
  if (administrators && (await isAdministrator(pool, operatorId))) return
  if (found === undefined) throw notFound('Project')
  throw forbidden(`This needs the role ${wanted} in the project, and your role is ${found.role}`)
}

/** Whether an operator administers the installation. */
export async function isAdministrator(pool: Deps['pool'], operatorId: string): Promise<boolean> {
  const { found } = await read(pool, OPERATORS_PROJECT, { found: findAdministrator({ operatorId }) })
  return found !== undefined
}

const READING = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The console's own origins: that of the API, and on a machine of one's own all names of that machine. */
export function consoleOrigins(baseUrl: string): readonly string[] {
  const { origin, hostname, protocol, port } = new URL(baseUrl)
  if (!LOOPBACK.includes(hostname)) return [origin]
  return LOOPBACK.map((name) => `${protocol}//${name}${port === '' ? '' : `:${port}`}`)
}

/**
 * Refuses what another site makes a browser send: a request that changes something must come from a page of the console and
 * carry its header. Answers are stored nowhere.
 */
export function guardConsole(api: Api, { config }: Pick<Deps, 'config'>, addresses: ConsoleAddresses): void {
  const origins = consoleOrigins(config.BASE_URL)
  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await addresses.ensure()
    if (READING.has(request.method) || request.routeOptions.config.anyOrigin === true) return
    if (!origins.includes(request.headers.origin ?? ''))
      throw forbidden(
        `Requests that change something must come from the console: the Origin must be ${origins[0]}`,
      )
    if (request.headers[CONSOLE_HEADER] === undefined)
      throw forbidden(`Requests that change something must have the header X-Guildhall-Console: send "1"`)
  })
}
