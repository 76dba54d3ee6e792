import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { Cells } from '../../cells/cells.ts'
import { ApiError, forbidden } from '../../errors.ts'
import { hashKey } from '../../keys/key-format.ts'
import { ProjectElsewhere, type ProjectStates } from '../../keys/project-states.ts'
import { idOf } from '../../tokens/access-token.ts'
import { projectMovedOn } from './forward.ts'

interface Parts {
  readonly cells: Cells
  readonly projectStates: ProjectStates
}

/** Longer ones are refused anyway. */
const MAX_LENGTH = 4_096

/** The project that a token names. Nobody has verified it: the cell that it leads to does. */
function projectNamedIn(token: string): string | undefined {
  try {
    return token.length > MAX_LENGTH ? undefined : idOf('project', decodeJwt(token).aud)
  } catch {
    return undefined
  }
}

/** @throws ProjectElsewhere for a token of a project that lives in another cell */
export async function assertTokenIsHere(token: string, { projectStates }: Parts): Promise<void> {
  if (!projectStates.someHaveMoved) return
  const projectId = projectNamedIn(token)
  if (projectId !== undefined) await projectStates.assertHere(projectId)
}

/**
 * Looks in other cells for the project of a credential that is unknown here: one that was made there, or whose old copy was removed.
 * @param fault why the credential was refused here
 * @param from the cell that has forwarded the request, with the project that it expects here
 * @throws ProjectElsewhere where another cell has it; ApiError 503 where that cannot be said
 */
export async function lookElsewhere(
  fault: unknown,
  credential: string,
  parts: Parts,
  from: { readonly projectId: string | undefined } | undefined,
): Promise<void> {
  const { cells, projectStates } = parts
  if (!cells.areThere || !(fault instanceof ApiError) || fault.code !== 'INVALID_TOKEN') return
  if (from !== undefined) {
    if (from.projectId !== undefined && !(await projectStates.isHere(from.projectId))) throw projectMovedOn()
    return
  }
  const isToken = credential.includes('.')
  if (fault.reason !== (isToken ? 'bad_signature' : 'unknown_key')) return
  const named = isToken ? projectNamedIn(credential) : undefined
  if (isToken && (named === undefined || (await projectStates.isHere(named)))) return
  const place = await (named === undefined
    ? cells.locate('key', hashKey(credential))
    : cells.locate('project', named))
  if (place !== undefined) throw new ProjectElsewhere(place.projectId, place.cell)
}

/**
 * Operators read the old copy of a project that has moved, and change nothing of it.
 * @throws ApiError 403
 */
export async function assertNoOldCopy(
  { consoleProject, method }: FastifyRequest,
  states: ProjectStates,
): Promise<void> {
  if (consoleProject === undefined || method === 'GET' || !states.someHaveMoved) return
  if ((await states.cellOf(consoleProject.id)) !== undefined)
    throw forbidden(
      'This project lives in another installation, and this is an old copy: open the console there',
    )
}
