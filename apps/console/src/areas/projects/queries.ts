import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callConsole, type Operator, type Project, type Role } from '../../data/console-api.ts'
import { meQuery, projectsQuery } from '../../data/keys.ts'
import { useProject } from '../../data/list-query.ts'
import { forgetTokens } from '../../data/project-client.ts'

/** What one side has used in a month. */
export interface Used {
  readonly requests: number
  readonly active_members: number
  readonly storage_bytes: number
  readonly mails: number
  readonly deliveries: number
  readonly events: number
}
export interface Month {
  readonly month: string
  readonly live: Used
  readonly test: Used
}

/** Something of the whole project, from the console's API. @param path below the project */
export function useOfProject<T>(path: string) {
  const { project } = useProject()
  return useQuery({
    queryKey: [project, path],
    queryFn: async ({ signal }) =>
      (await callConsole<{ data: T }>('GET', `/projects/${project}/${path}`, { signal })).data,
  })
}

/** Who can become the owner. */
export const useTeam = () => useOfProject<readonly (Operator & { readonly role: Role })[]>('team')

/** How many members, and what else goes with the project. */
export interface Overview {
  readonly members: { readonly total: number }
}

/** Whether the operator administers the installation. */
export const useIsAdministrator = () => useQuery(meQuery).data?.is_administrator === true

/** Acts on whole projects. What shows them is read again. */
export function useProjectActs(project: string) {
  const queries = useQueryClient()
  const act = <T>(method: string, verb: string, body?: object): Promise<T> =>
    callConsole<T>(method, `/projects/${project}${verb}`, body === undefined ? {} : { body })
  const refresh = async () => {
    // The role may be another one now, and tokens of the former one have ended.
    forgetTokens()
    await Promise.all([
      queries.invalidateQueries(projectsQuery),
      queries.invalidateQueries({ queryKey: [project] }),
    ])
  }
  return { act, refresh }
}

/** All projects that the operator sees, also those of others for administrators. */
export function useProjects(search: string, cursor: string | undefined) {
  return useQuery({
    queryKey: ['projects', 'all', search, cursor],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ limit: '50' })
      if (search !== '') query.set('search', search)
      if (cursor !== undefined) query.set('cursor', cursor)
      return callConsole<{ data: readonly Project[]; next_cursor: string | null }>(
        ...(['GET', `/projects?${query}`, { signal }] as const),
      )
    },
    placeholderData: (before) => before,
  })
}
