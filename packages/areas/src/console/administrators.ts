import type { FastifyRequest } from 'fastify'
import { memberOf } from '#platform/http/caller.ts'
import { findAdministrator } from '#platform/operators/queries.ts'

/** Whether the operator who asks administers the installation. */
export async function isAdministrator(request: FastifyRequest): Promise<boolean> {
  const { memberId: operatorId } = memberOf(request)
  const { found } = await request.read({ found: findAdministrator({ operatorId }) })
  return found !== undefined
}
