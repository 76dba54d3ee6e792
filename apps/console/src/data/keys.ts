import { queryOptions } from '@tanstack/react-query'
import { callConsole, type Me, type Project } from './console-api.ts'

/** The operator who is logged in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => (await callConsole<{ data: Me }>('GET', '/me', { signal })).data,
  staleTime: 60_000,
})

/** The projects of the operator, the newest first. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) =>
    (await callConsole<{ data: readonly Project[] }>('GET', '/projects?limit=100', { signal })).data,
  staleTime: 60_000,
})
