import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../actor.ts'
import { callerOf, memberOf } from './authenticate.ts'
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
