import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cells } from '../../cells/cells.ts'
import type { Deps } from '../../deps.ts'
import { ApiError, forbidden, invalidToken } from '../../errors.ts'
import type { ApiKey, KeyStore } from '../../keys/key-store.ts'
import type { KeyUsage } from '../../keys/key-usage.ts'
import type { MemberLimits } from '../../keys/member-limits.ts'
import type { ProjectStates } from '../../keys/project-states.ts'
import { AUTHENTICATION_LIMIT } from '../../keys/rate-limits.ts'
import { OPERATORS_PROJECT } from '../../operators/operators-project.ts'
import type { AccessTokens, MemberToken, OperatorLogin } from '../../tokens/access-token.ts'
import type { EndedSessions } from '../../tokens/ended-sessions.ts'
import type { LiveRoles } from '../../tokens/live-roles.ts'
import { OPERATOR_TOKEN_TYPE, type OperatorToken, type OperatorTokens } from '../../tokens/operator-token.ts'
import { typeOf } from '../../tokens/signed-tokens.ts'
import { authorizeKey, authorizeMember, authorizeOperator, type OperatorAccess } from '../access.ts'
import type { Api } from '../api.ts'
import { callerOf } from '../caller.ts'
import { enforceLimit, showLimit } from '../limits/enforce-limits.ts'
import type { RateLimiter } from '../limits/rate-limiter.ts'
import { operatorSession } from '../operator-session.ts'
import { parseJsonBody } from '../validation/json-body.ts'
import { readClientAddress, subscriberOf } from './client-address.ts'
import { authorizeConsole, countOperator, ENTRY_KEY } from './console-access.ts'
import { assertNoOldCopy, assertTokenIsHere, lookElsewhere } from './find-elsewhere.ts'
import { forwardIfElsewhere } from './forward.ts'

/** Requests per minute of a client address that sends no valid credential. */
const ANONYMOUS_LIMIT = 100

interface Parts {
  readonly keys: KeyStore
  readonly usage: KeyUsage
  readonly accessTokens: AccessTokens
  readonly endedSessions: EndedSessions
  readonly operatorTokens: OperatorTokens
  readonly liveRoles: LiveRoles
  readonly pool: Deps['pool']
  readonly limiter: RateLimiter
  readonly memberLimits: MemberLimits
  readonly projectStates: ProjectStates
  readonly cells: Cells
}

/** Adds what runs first for every request: authenticate → limit → authorize. */
export function registerAuthentication(api: Api, parts: Parts): void {
  // A credential in a header.
  api.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.access === 'open' || hasTicket(request)) return
    if (!mayNameKeyInBody(request)) return admitOrForward(request, reply, parts)
    // A large body is refused before it is read, and nobody knows yet whose it is.
    if (Number(request.headers['content-length'] ?? 0) > request.routeOptions.bodyLimit)
      enforceLimit(request, reply, await parts.limiter.take(addressLimit(request)))
  })
  // A key in a body, which has been read only now.
  api.addHook('preValidation', async (request, reply) => {
    if (mayNameKeyInBody(request)) await admitOrForward(request, reply, parts)
    else if (request.routeOptions.config.keyInText) readText(request)
  })
}

async function admitOrForward(request: FastifyRequest, reply: FastifyReply, parts: Parts): Promise<void> {
  try {
    await admit(request, reply, parts)
  } catch (error) {
    await forwardIfElsewhere(error, request, reply, parts.cells)
  }
}

async function admit(request: FastifyRequest, reply: FastifyReply, parts: Parts): Promise<void> {
  const { usage, limiter, memberLimits, projectStates } = parts
  const { access, countsAsAuthentication, countsAsAnalytics } = request.routeOptions.config
  if (access === 'open') return
  if (access?.operator !== undefined) return admitToConsole(request, reply, parts, access.operator)
  await identify(request, reply, parts)
  const { key, member, operator } = request
  if (operator) {
    await countOperator(request, reply, limiter, operator.operatorId)
    await projectStates.assertOpen(operator.projectId, { isKey: false })
    const { hiddenFromViewers = false } = request.routeOptions.config
    if (access !== undefined)
      authorizeOperator({ access, method: request.method, hiddenFromViewers }, operator)
  }
  if (member) {
    // An operator who is logged in as a member uses up nothing of the member.
    if (member.operator) await countOperator(request, reply, limiter, member.operator.operatorId)
    else {
      const points = memberLimits.of(member.projectId)
      enforceLimit(request, reply, await limiter.take({ policy: 'member', id: member.memberId, points }))
    }
    if (member.projectId === OPERATORS_PROJECT) throw forbidden(CONSOLE_TOKEN)
    await projectStates.assertOpen(member.projectId, { isKey: false })
    if (access !== undefined) authorizeMember(access)
    if (member.operator !== undefined && request.routeOptions.config.membersAlone) throw operatorSession()
  }
  if (key) {
    // All visitors of a site share its one public key: no visitor may use up its limit.
    const visitor = key.type === 'public' ? `${key.id}:${subscriberOf(request.ip)}` : undefined
    if (visitor !== undefined && countsAsAnalytics) {
      const counts = 'page views and events from this client address'
      const limit = {
        policy: 'address',
        id: `analytics:${visitor}`,
        points: key.limits.analytics,
        counts,
      } as const
      enforceLimit(request, reply, await limiter.take(limit))
    } else {
      // A request that the address limit refuses is not counted against the key.
      if (visitor !== undefined) {
        const limit = { policy: 'address', id: visitor, points: key.limits.visitor } as const
        enforceLimit(request, reply, await limiter.take(limit))
      }
      if (countsAsAuthentication) await countAuthentication(request, reply, limiter)
      const limit = { policy: 'key', id: key.id, points: key.limits.key } as const
      enforceLimit(request, reply, await limiter.take(limit))
    }
    await projectStates.assertOpen(key.projectId, { isKey: true })
    usage.record(key)
    if (access !== undefined) authorizeKey(access, key)
  }
}

const CONSOLE_TOKEN =
  'This access token opens the console: get an operator token with POST /console/api/projects/{id}/token'

/** The same for a route of the console: its operators log in as members of the built-in project. */
async function admitToConsole(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Parts,
  operator: OperatorAccess,
): Promise<void> {
  const { limiter, pool } = parts
  const { access, countsAsAuthentication } = request.routeOptions.config
  if (operator === 'entry') {
    request.key = ENTRY_KEY
    const visitor = `console:${subscriberOf(request.ip)}`
    const limit = { policy: 'address', id: visitor, points: ENTRY_KEY.limits.visitor } as const
    enforceLimit(request, reply, await limiter.take(limit))
    if (countsAsAuthentication) await countAuthentication(request, reply, limiter)
    return
  }
  await identify(request, reply, parts)
  const { member } = request
  if (member === undefined) {
    request.key = undefined
    request.operator = undefined
    throw invalidToken('not_operator')
  }
  await countOperator(request, reply, limiter, member.memberId)
  const administrators = access !== 'open' && access?.administrators === true
  await authorizeConsole(request, pool, member, { operator, administrators })
  await assertNoOldCopy(request, parts.projectStates)
}

/**
 * Counts a login or a sign-up against the limit of one address at a project.
 * @throws ApiError 429
 */
export async function countAuthentication(
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: RateLimiter,
): Promise<void> {
  const { address, fault } = readClientAddress(request)
  const { projectId } = callerOf(request)
  const points = request.key?.limits.authentication ?? AUTHENTICATION_LIMIT
  // What operators do counts for no visitor of the project.
  const whose =
    request.operator === undefined ? subscriberOf(address) : `operator:${request.operator.operatorId}`
  const limit = { policy: 'authentication', id: `${projectId}:${whose}`, points } as const
  enforceLimit(request, reply, await limiter.take(limit))
  // The request is counted before it is refused, so that the refusal shows how many are left.
  if (fault !== undefined) throw fault
}

/**
 * Sets `request.key`, `request.member` or `request.operator`. Requests with a missing or a wrong credential are counted for their address.
 * Above the limit they are refused without saying whether the credential was right, and keys that are not in memory are
 * looked up more slowly, so that guesses cost little. A valid credential is never refused for those of others.
 * @throws ApiError 401, 403; 429; 503 where the database cannot be asked
 */
async function identify(request: FastifyRequest, reply: FastifyReply, parts: Parts): Promise<void> {
  const { limiter } = parts
  const limit = addressLimit(request)
  try {
    const isSuspect = async () => !(await limiter.look(limit)).allowed
    await readCredential(request, parts, isSuspect)
  } catch (error) {
    // A credential that could not be looked up may be right: it is not counted.
    const isWrong = error instanceof ApiError && error.status < 500
    if (isWrong) enforceLimit(request, reply, await limiter.take(limit))
    else showLimit(request, reply, await limiter.look(limit))
    throw error
  }
}

const addressLimit = ({ ip }: FastifyRequest) =>
  ({
    policy: 'address',
    id: subscriberOf(ip),
    points: ANONYMOUS_LIMIT,
    counts: 'requests without a valid API key or token from this client address',
  }) as const

/** @param isSuspect whether the client sent too many wrong credentials */
async function readCredential(
  request: FastifyRequest,
  parts: Parts,
  isSuspect: () => Promise<boolean>,
): Promise<void> {
  const token = mayNameKeyInBody(request) ? keyInBody(request) : keyInHeader(request)
  try {
    await findCredential(request, token, parts, isSuspect)
  } catch (error) {
    const { fromCell } = request
    const from = typeof fromCell === 'object' ? fromCell : undefined
    if (from !== undefined || (parts.cells.areThere && !(await isSuspect())))
      await lookElsewhere(error, token, parts, from)
    throw error
  }
}

async function findCredential(
  request: FastifyRequest,
  token: string,
  parts: Parts,
  isSuspect: () => Promise<boolean>,
): Promise<void> {
  // No key has a dot, and every JWT has two.
  if (!token.includes('.') || mayNameKeyInBody(request)) {
    const key = await parts.keys.find(token, isSuspect)
    if (parts.projectStates.someHaveMoved) await parts.projectStates.assertHere(key.projectId)
    request.key = key
    assertPlace(request, key)
    return
  }
  await assertTokenIsHere(token, parts)
  if (typeOf(token) === OPERATOR_TOKEN_TYPE) request.operator = await findOperator(token, parts)
  else request.member = await findMember(token, parts)
}

/** @throws ApiError 401 */
function keyInHeader(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined || header === '')
    throw new ApiError(401, 'AUTH_REQUIRED', 'Authentication is required: send "Authorization: Bearer <key>"')
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1]
  if (token === undefined) throw invalidToken('not_bearer')
  return token
}

/** Whether a request has a ticket in place of a credential, on a route that takes one. The route finds out whose it is. */
export const hasTicket = ({ headers, query, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.takesTicket === true &&
  !headers.authorization &&
  typeof (query as { ticket?: unknown }).ticket === 'string'

/**
 * Counts a credential that a route itself found to be wrong, as those that are wrong in a header.
 * @throws ApiError 429
 */
export async function countWrongCredential(
  request: FastifyRequest,
  reply: FastifyReply,
  limiter: RateLimiter,
): Promise<void> {
  enforceLimit(request, reply, await limiter.take(addressLimit(request)))
}

/** A beacon of a browser has no header, so some routes take its key from the body. */
const mayNameKeyInBody = ({ headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.keyInText === true && !headers.authorization && isText(headers['content-type'])

/** Whether a body is of the one type, besides those of forms, that browsers send without asking first. */
export const isText = (contentType: string | undefined): boolean => /^text\/plain\b/i.test(contentType ?? '')

/** Reads a text as the JSON that it is. @throws ApiError 400, 422 */
function readText(request: FastifyRequest): void {
  if (Buffer.isBuffer(request.body)) request.body = parseJsonBody(request.body)
}

/** @throws ApiError 400, 401, 422, or 403 for a secret key */
function keyInBody(request: FastifyRequest): string {
  readText(request)
  const key = (request.body as { key?: unknown } | null | undefined)?.key
  if (typeof key !== 'string' || key === '')
    throw new ApiError(
      401,
      'AUTH_REQUIRED',
      'Authentication is required: send a public key in `key`, or "Authorization: Bearer <key>"',
    )
  if (key.startsWith('svc_sk_'))
    throw forbidden(
      'A secret key is not allowed in a body: send a public key, and revoke this key if a page shows it',
    )
  return key
}

async function findMember(token: string, parts: Parts): Promise<MemberToken> {
  const member = await parts.accessTokens.verify(token)
  if (await parts.endedSessions.has(member.projectId, member.sessionId)) throw invalidToken('session_ended')
  if (member.operator !== undefined) await assertStands(member.operator, parts)
  return member
}

/** The operator of a token: it ends with the session in the console, and with the role. */
async function findOperator(token: string, parts: Parts): Promise<OperatorToken> {
  const operator = await parts.operatorTokens.verify(token)
  await assertStands(operator, parts)
  return operator
}

/** @throws ApiError 401 once the operator's session in the console or the role has ended */
async function assertStands(operator: OperatorLogin, { endedSessions, liveRoles }: Parts): Promise<void> {
  if (await endedSessions.has(OPERATORS_PROJECT, operator.sessionId)) throw invalidToken('session_ended')
  if (!(await liveRoles.has(operator))) throw invalidToken('role_ended')
}

/** A key can be bound to addresses and to browser origins. */
function assertPlace(request: FastifyRequest, key: ApiKey): void {
  if (key.allowedIps && !key.allowedIps.check(request.ip, isIP(request.ip) === 6 ? 'ipv6' : 'ipv4'))
    throw forbidden(
      `Address ${request.ip} is not allowed for this key: it is not in allowed_ips. Create a key that allows it`,
    )
  const origin = request.headers.origin
  if (origin !== undefined && key.allowedOrigins.length > 0 && !key.allowedOrigins.includes(origin))
    throw forbidden(
      `Origin ${shorten(origin)} is not allowed for this key. An operator adds it with \`project set --origins\``,
    )
}

/** The part of a client's text that an error repeats at most. */
const shorten = (text: string) => (text.length <= 100 ? text : `${text.slice(0, 100)}…`)
