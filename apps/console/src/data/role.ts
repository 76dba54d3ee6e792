import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Project } from './console-api.ts'
import { projectsQuery } from './keys.ts'

/** The present project as the operator has it, or undefined until it is known. */
export function useProjectRow(): Project | undefined {
  const { project } = useParams({ strict: false }) as { project: string }
  return useQuery(projectsQuery).data?.find(({ id }) => id === project)
}

/**
 * What the operator may do in the present project. It decides what is shown; the API decides what is done.
 * @returns false for both until the role is known
 */
export function useRights(): { readonly canChange: boolean; readonly isOwner: boolean } {
  const role = useProjectRow()?.role
  return { canChange: role === 'owner' || role === 'admin', isOwner: role === 'owner' }
}
