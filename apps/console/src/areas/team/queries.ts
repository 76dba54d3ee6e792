import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callConsole, type Operator, type Role } from '../../data/console-api.ts'
import { useProject } from '../../data/list-query.ts'
import { forgetTokens } from '../../data/project-client.ts'

export const ROLES: readonly Role[] = ['owner', 'admin', 'viewer']

export interface TeamMember extends Operator {
  readonly role: Role
  readonly created_at: string
}

export interface TeamInvitation {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly expires_at: string
}

/** A list of the project, which both of its sides share. */
function useOfProject<T>(name: 'team' | 'invitations') {
  const { project } = useProject()
  return useQuery({
    queryKey: [project, name],
    queryFn: async ({ signal }) =>
      (await callConsole<{ data: readonly T[] }>('GET', `/projects/${project}/${name}`, { signal })).data,
  })
}

export const useTeam = () => useOfProject<TeamMember>('team')

/** The invitations that can still be accepted, which owners alone see. */
export const useInvitations = () => useOfProject<TeamInvitation>('invitations')

interface Change {
  readonly method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the project. */
  readonly path: string
  readonly body?: unknown
}

/** Changes the team; what shows it is read again. @param onDone called when the change is done */
export function useTeamChange(onDone: () => void) {
  const { project } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ method, path, body }: Change) =>
      callConsole(method, `/projects/${project}/${path}`, { body }),
    onSuccess: async () => {
      // The role of the operator may be another one now, and tokens of the former one have ended.
      forgetTokens()
      await Promise.all([
        queries.invalidateQueries({ queryKey: [project] }),
        queries.invalidateQueries({ queryKey: ['projects'] }),
      ])
      onDone()
    },
  })
}
