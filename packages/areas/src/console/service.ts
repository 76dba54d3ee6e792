import type { FastifyRequest } from 'fastify'
import { tenantOf } from '#areas/projects/service.ts'
import type { ProjectData } from '#platform/db/tenant.ts'
import type { AreaDeps } from '#platform/deps.ts'
import { consoleProjectOf, operatorOf } from '#platform/http/server/console-request.ts'
import { toId } from '#platform/ids.ts'
import type { Environment } from '#platform/keys/key-format.ts'

/** What routes of the console reach a project's data with. */
export type ConsoleDeps = Pick<AreaDeps, 'operators' | 'asOperator'>

/** The data of one side of a project, and its stored id. */
export interface Side extends ProjectData {
  readonly projectId: string
}

/** The side of the project in the path of a console route, for the operator who asks. */
export async function openSide(
  request: FastifyRequest,
  { operators, asOperator }: ConsoleDeps,
  environment: Environment,
): Promise<Side> {
  const { id } = consoleProjectOf(request)
  const projectId = await tenantOf(operators, toId('project', id), environment)
  return { projectId, ...asOperator(projectId, operatorOf(request)) }
}
