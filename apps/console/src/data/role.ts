import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Role } from './console-api.ts'
import { projectsQuery } from './keys.ts'

/**
 * What the operator may do in the present project. It decides what is shown; the API decides what is done.
 * @returns false for both until the role is known
 */
export function useRights(): { readonly canChange: boolean; readonly isOwner: boolean } {
  const { project } = useParams({ strict: false }) as { project: string }
  const { data: projects } = useQuery(projectsQuery)
  const role: Role | null | undefined = projects?.find(({ id }) => id === project)?.role
  return { canChange: role === 'owner' || role === 'admin', isOwner: role === 'owner' }
}
