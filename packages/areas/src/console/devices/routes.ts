import type { FastifyReply, FastifyRequest } from 'fastify'
import { getProject, rolesOf, tenantOf } from '#areas/projects/service.ts'
import { audit } from '#platform/audit.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { invalidBody, notFound } from '#platform/errors.ts'
import type { Api } from '#platform/http/api.ts'
import { memberOf } from '#platform/http/caller.ts'
import { enforceLimit } from '#platform/http/limits/enforce-limits.ts'
import { clientAddress } from '#platform/http/server/client-address.ts'
import { CONSOLE_API } from '#platform/http/server/console-access.ts'
import { operatorOf } from '#platform/http/server/console-request.ts'
import { parseId, toId } from '#platform/ids.ts'
import { findRole } from '#platform/operators/queries.ts'
import { OPERATOR_TOKEN_SECONDS } from '#platform/tokens/operator-token.ts'
import { devicePage } from './page.ts'
import { CODE_SECONDS, decideCode, waitingByCode } from './queries.ts'
import {
  Approval,
  ByCode,
  CodeRequest,
  DEVICE_GRANT,
  Decided,
  DeviceCode,
  DeviceToken,
  Revoked,
  RevokeRequest,
  TokenRequest,
  WaitingAnswer,
} from './schema.ts'
import { askForLogIn, endLogIn, type Refusal, shownCode, takeToken, typedCode, useLogIn } from './service.ts'

const tags = ['Devices']
/** Programs call these: they have no page, so they send no `Origin`, and nothing that a browser would send by itself. */
const program = { access: { operator: 'entry' }, anyOrigin: true } as const

const INTERVAL_SECONDS = 5
/** Codes that an operator may try in a quarter of an hour. */
const TRIES = 20
const TRIES_SECONDS = 15 * 60

/** The device flow of RFC 8628, by which the customers' command is logged in. */
export function deviceRoutes(api: Api, deps: AreaDeps): void {
  createDeviceCodeRoute(api, deps)
  createDeviceTokenRoute(api, deps)
  revokeDeviceTokenRoute(api)
  getWaitingDeviceRoute(api, deps)
  decideDeviceRoute(api, deps)
  devicePage(api)
}

function createDeviceCodeRoute(api: Api, { config }: AreaDeps): void {
  api.post(
    '/device/code',
    {
      config: { ...program, countsAsAuthentication: true },
      schema: {
        tags,
        operationId: 'createDeviceCode',
        summary: 'Ask for a code for a program',
        description:
          'The program shows `user_code` and `verification_uri` to the operator, and asks for the token each `interval` seconds. Errors are those of RFC 8628.',
        body: CodeRequest,
        response: { 200: DeviceCode },
      },
    },
    async (request) => {
      const { client_id = 'A program', client_name = client_id } = request.body
      const made = await request.write(async (ctx) =>
        askForLogIn(ctx, { clientName: withoutControls(client_name), ip: clientAddress(request) }),
      )
      const user_code = shownCode(made.userCode)
      const page = `${config.BASE_URL}${CONSOLE_API}/device`
      return {
        device_code: made.deviceCode,
        user_code,
        verification_uri: page,
        verification_uri_complete: `${page}?user_code=${user_code}`,
        expires_in: CODE_SECONDS,
        interval: INTERVAL_SECONDS,
      }
    },
  )
}

/** What a program calls itself is shown to people. */
const withoutControls = (name: string): string => name.replaceAll(/\p{C}/gu, ' ').trim() || 'A program'

function createDeviceTokenRoute(api: Api, deps: AreaDeps): void {
  api.post(
    '/device/token',
    {
      config: program,
      schema: {
        tags,
        operationId: 'createDeviceToken',
        summary: 'Get a token for a program',
        description:
          'For the device code, once it was approved, and then for the refresh token. While nobody has decided, the answer is 400 with `error` `authorization_pending`, or `slow_down` if the program asked too soon. `access_denied`, `expired_token` and `invalid_grant` are final.',
        body: TokenRequest,
        response: { 200: DeviceToken },
      },
    },
    async (request, reply) => {
      const { grant_type, device_code, refresh_token } = request.body
      if (grant_type === DEVICE_GRANT) {
        if (device_code === undefined) return refuse(request, reply, 'invalid_request')
        const taken = await request.write((ctx) => takeToken(ctx, device_code))
        if ('refusal' in taken) return refuse(request, reply, taken.refusal)
        const token = await tokenOf(deps, request, taken.refreshToken)
        return token
          ? { ...token, refresh_token: taken.refreshToken }
          : refuse(request, reply, 'access_denied')
      }
      if (refresh_token === undefined) return refuse(request, reply, 'invalid_request')
      return (await tokenOf(deps, request, refresh_token)) ?? refuse(request, reply, 'invalid_grant')
    },
  )
}

const SENTENCES: Readonly<Record<Refusal, string>> = {
  authorization_pending: 'Nobody has decided yet: ask again after the interval',
  slow_down: 'The program asked too soon: wait five seconds longer from now on',
  expired_token: 'Nobody decided in time: ask for a new code',
  access_denied: 'The operator refused, or may not use this project any more',
  invalid_grant: 'This code or token is unknown, was used, or has ended',
  invalid_request: 'A field that this grant_type needs is missing',
}

/** An error as RFC 6749 has it, with what every error of this API has: as text, because the schema of errors has no `error_description`. */
function refuse(request: FastifyRequest, reply: FastifyReply, error: Refusal): FastifyReply {
  const body = {
    ...{ success: false, error, error_description: SENTENCES[error] },
    ...{ code: error.toUpperCase(), request_id: request.id },
  }
  return reply.status(400).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** A token by the role that the operator has now; undefined where the log-in or the role has ended. */
async function tokenOf(
  { operators, operatorTokens, asOperator }: AreaDeps,
  request: FastifyRequest,
  refreshToken: string,
): Promise<DeviceToken | undefined> {
  const used = await request.write((ctx) => useLogIn(ctx, refreshToken, clientAddress(request)))
  if (used === undefined) return undefined
  const { email, liveId, environment, operatorId, sessionId } = used
  const { role: found } = await asOperator(liveId, { kind: 'operator', id: operatorId }).read({
    role: findRole({ operatorId }),
  })
  if (found === undefined) return undefined
  const { role, grantId } = found
  const project = await getProject(operators, toId('project', liveId))
  const projectId = await tenantOf(operators, project.id, environment)
  const claims = { projectId, environment, liveId, operatorId, sessionId, role, grantId }
  const { token } = await operatorTokens.issue(claims)
  return {
    ...{ access_token: token, token_type: 'Bearer', expires_in: OPERATOR_TOKEN_SECONDS },
    ...{ email, project: { id: project.id, name: project.name }, environment, role },
  }
}

function revokeDeviceTokenRoute(api: Api): void {
  api.post(
    '/device/revoke',
    {
      config: program,
      schema: {
        tags,
        operationId: 'revokeDeviceToken',
        summary: 'Log a program out',
        description: 'The log-in and all its tokens end within a second.',
        body: RevokeRequest,
        response: { 200: Revoked },
      },
    },
    async (request) => ({ revoked: await request.write((ctx) => endLogIn(ctx, request.body.token)) }),
  )
}

/** Counts a code that an operator tries, before it is looked up. @throws ApiError 429 */
async function countTry(request: FastifyRequest, reply: FastifyReply, { limiter }: AreaDeps): Promise<void> {
  const id = `device codes:${memberOf(request).memberId}`
  const limit = { policy: 'account', id, points: TRIES, windowSeconds: TRIES_SECONDS } as const
  enforceLimit(request, reply, await limiter.take(limit))
}

function getWaitingDeviceRoute(api: Api, deps: AreaDeps): void {
  api.get(
    '/device/codes/:user_code',
    {
      config: { access: { operator: 'self' } },
      schema: {
        tags,
        operationId: 'getWaitingDevice',
        summary: 'Get the program that asks by a code',
        description: `An operator can try ${TRIES} codes in 15 minutes.`,
        params: ByCode,
        response: { 200: WaitingAnswer },
      },
    },
    async (request, reply) => {
      await countTry(request, reply, deps)
      const user_code = typedCode(request.params.user_code)
      const { found } = await request.read({ found: waitingByCode({ user_code }) })
      if (found === undefined) throw notFound('Code')
      const { client_name, ip: address, created_at, expires_at } = found
      return { user_code: shownCode(user_code), client_name, address, created_at, expires_at }
    },
  )
}

function decideDeviceRoute(api: Api, deps: AreaDeps): void {
  const { operators, asOperator } = deps
  api.post(
    '/device/approve',
    {
      config: { access: { operator: 'self' } },
      schema: {
        tags,
        operationId: 'decideDevice',
        summary: 'Log a program in, or refuse it',
        description:
          'The program gets a log-in to one side of one project, with the role of the operator in it. It ends with the role, and with the session that the operator sees in the list of sessions.',
        body: Approval,
        response: { 200: Decided },
      },
    },
    async (request, reply) => {
      await countTry(request, reply, deps)
      const { decision } = request.body
      const user_code = typedCode(request.body.user_code)
      const operator = operatorOf(request)
      const target = decision === 'deny' ? undefined : await targetOf(operators, operator.id, request.body)
      const decided = await request.write(
        decideCode({
          ...{ user_code, operator_id: operator.id },
          status: target === undefined ? 'denied' : 'approved',
          live_id: target?.liveId ?? null,
          environment: target?.environment ?? null,
        }),
      )
      if (decided === undefined) throw notFound('Code')
      if (target !== undefined)
        await asOperator(target.liveId, operator).write(async (ctx) =>
          audit(ctx, {
            action: 'device.approve',
            target: operatorIdOf(operator.id),
            after: { client_name: decided.client_name, environment: target.environment },
          }),
        )
      return { decision }
    },
  )
}

const operatorIdOf = (id: string) => toId('operator', id)

/** @throws ApiError 404 for a project in which the operator has no role; 422 */
async function targetOf(
  operators: AreaDeps['operators'],
  operatorId: string,
  { project_id, environment }: Approval,
): Promise<{ liveId: string; environment: 'live' | 'test' }> {
  if (project_id === undefined || environment === undefined)
    throw invalidBody(
      Object.entries({ project_id, environment })
        .filter(([, value]) => value === undefined)
        .map(([field]) => ({ field, rule: 'required', message: 'is required to approve' })),
    )
  const liveId = parseId('project', project_id)
  const roles = await rolesOf(operators, operatorId)
  if (liveId === undefined || !roles.has(liveId)) throw notFound('Project')
  return { liveId, environment }
}
