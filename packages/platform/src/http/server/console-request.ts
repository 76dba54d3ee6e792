import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../actor.ts'
import { forbidden } from '../../errors.ts'
import type { OperatorLogin } from '../../tokens/access-token.ts'
import { callerOf, memberOf } from '../caller.ts'
import type { ConsoleProject } from './console-access.ts'

/** The project in the path of a console route. */
export function consoleProjectOf(request: FastifyRequest): ConsoleProject {
  if (request.consoleProject === undefined)
    throw new Error(`${request.routeOptions.url} names no project in its path`)
  return request.consoleProject
}

/** An operator as the one who acts on a project. */
export type OperatorActor = Extract<Actor, { kind: 'operator' }> & { readonly id: string }

/** Who acts on a project by a request to the console: for `deps.asOperator`. */
export function operatorOf(request: FastifyRequest): OperatorActor {
  const { memberId: id } = memberOf(request)
  const { actor } = callerOf(request)
  const role = request.consoleProject?.role
  const address = 'address' in actor ? actor.address : undefined
  return { kind: 'operator', id, ...(role && { role }), ...(address !== undefined && { address }) }
}

/** By what the operator of a request has a right to the project in its path. @throws ApiError 403 without a role in it */
export function operatorLoginOf(request: FastifyRequest): OperatorLogin {
  const { id: liveId, grantId } = consoleProjectOf(request)
  const { memberId: operatorId, sessionId } = memberOf(request)
  if (grantId === null) throw forbidden('This operator has no role in the project')
  return { liveId, operatorId, sessionId, grantId }
}
