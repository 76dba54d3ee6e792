import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { toId } from '../../ids.ts'
import { KeyAddresses } from '../../keys/key-addresses.ts'
import { OPERATORS_PROJECT } from '../../operators/operators-project.ts'
import type { LoggedRequest, RequestLog } from '../../requests/request-log.ts'
import type { Api } from '../api.ts'
import { isOfServers } from './error-handler.ts'
import { onEnd } from './on-end.ts'

/** Errors of a wrong credential that are answered with another status than 401. */
const FAILED_PROOFS = new Set(['INVALID_CODE', 'INVALID_LINK'])

/**
 * Logs each request when it has been answered or its client has gone, notes it for the project's operators, measures it, and counts it for its
 * project. Wrong credentials, refused requests, what operators change, and a secret key that comes from a new address get a second
 * line with `log: "security"`, which operators can send elsewhere.
 */
export function logRequests(
  api: Api,
  { metrics, requestCounts, requestLog }: Pick<Deps, 'metrics' | 'requestCounts' | 'requestLog'>,
): void {
  const addresses = new KeyAddresses()
  onEnd(api, (request, reply, { status, isAborted }) => {
    const { method, url: route = 'unknown' } = request.routeOptions
    metrics.requests.observe({ method: String(method), route, status }, reply.elapsedTime / 1_000)
    const { projectId } = request.key ?? request.member ?? request.operator ?? {}
    if (projectId !== undefined) {
      metrics.projectLoad.add(projectId, reply.elapsedTime / 1_000)
      // What operators ask for counts for no project.
      if (request.operator === undefined) requestCounts.add(projectId)
    }
    if (status === 429) metrics.limitsRefused.inc({ policy: request.rateLimit?.limit.policy ?? 'other' })
    const operator = operatorOf(request)
    // The path is not logged: it can hold tokens of mails.
    const line = {
      method: request.method,
      route,
      status,
      code: request.failure?.code,
      reason: reasonOf(request),
      aborted: isAborted || undefined,
      ms: reply.elapsedTime,
      address: request.ip,
      project_id: projectId && toId('project', projectId),
      key_id: request.key?.publicId,
      member_id: request.member && toId('member', request.member.memberId),
      operator_id: operator && toId('operator', operator),
      trace_id: request.traceId,
      cell: request.toCell,
      from_cell: typeof request.fromCell === 'object' ? request.fromCell.cell : undefined,
    }
    request.log[line.reason === undefined ? 'info' : 'warn'](line, 'request')
    noteRequest(requestLog, request, { route, status, ms: line.ms })
    const matter = securityMatter(request, status, addresses)
    if (matter !== undefined) request.log.info({ log: 'security', ...line }, matter)
  })
}

/** Why a server that Guildhall needs did not answer. Other faults have a line of their own. */
function reasonOf({ failure }: FastifyRequest): string | undefined {
  if (failure?.cause === undefined || !isOfServers(failure)) return undefined
  return failure.cause instanceof Error ? failure.cause.message : String(failure.cause)
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Where the requests of customers are. */
const CUSTOMERS = '/api/'

/** Notes a request to the API for the operators of its project. */
function noteRequest(
  log: RequestLog,
  request: FastifyRequest,
  answered: Pick<LoggedRequest, 'route' | 'status' | 'ms'>,
): void {
  const { key, member, operator, method } = request
  const { projectId } = key ?? member ?? operator ?? {}
  if (projectId === undefined || !request.url.startsWith(CUSTOMERS)) return
  log.note({
    projectId,
    at: Date.now() - answered.ms,
    method,
    ...answered,
    keyId: key?.id ?? null,
    memberId: member?.memberId ?? null,
    operatorId: operator?.operatorId ?? member?.operator?.operatorId ?? null,
    requestId: request.id,
    code: request.failure?.code ?? null,
  })
}

/** What a line of security says of a request; undefined where it has none. */
function securityMatter(
  request: FastifyRequest,
  status: number,
  addresses: KeyAddresses,
): string | undefined {
  if (isRefused(request, status)) return 'refused'
  const { key, method, ip } = request
  if (operatorOf(request) !== undefined && !READS.has(method) && status < 400) return 'act of an operator'
  // Public keys are used by browsers everywhere.
  if (key?.type === 'secret' && addresses.isNew(key.id, ip)) return 'key used from a new address'
  return undefined
}

/** The stored id of an operator: with a token of a project, logged in as a member, or in the console, where operators are members. */
function operatorOf({ operator, member }: FastifyRequest): string | undefined {
  if (operator !== undefined) return operator.operatorId
  return member?.projectId === OPERATORS_PROJECT ? member.memberId : member?.operator?.operatorId
}

function isRefused({ failure, routeOptions }: FastifyRequest, status: number): boolean {
  if (status === 401) return failure?.code !== 'AUTH_REQUIRED'
  if (status === 429) return routeOptions.config.countsAsAuthentication === true
  return status === 403 || FAILED_PROOFS.has(failure?.code ?? '')
}
