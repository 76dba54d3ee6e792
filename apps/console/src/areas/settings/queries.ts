import type { Options } from '@guildhall/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { useProject } from '../../data/list-query.ts'
import { readWithEtag } from '../../data/read.ts'

/** The settings of the present side, which the console alone has. */
export function useSettings() {
  const { project, side } = useProject()
  const path = `/projects/${project}/settings/${side}`
  const queries = useQueryClient()
  const queryKey = [project, side, 'settings']
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await callConsole<{ data: object }>('GET', path, { signal })).data,
  })
  const save = async (body: object) => {
    const { data } = await callConsole<{ data: object }>('PATCH', path, { body })
    queries.setQueryData(queryKey, data)
  }
  return { ...query, save }
}

/** One thing of the present side, with the ETag that a change of it is sent with. */
export function useThing<Thing>(
  key: readonly string[],
  read: (client: ReturnType<typeof useProject>['client'], options: Options) => Promise<Thing>,
) {
  const { project, side, client } = useProject()
  const readAgain = (signal?: AbortSignal) =>
    readWithEtag((options) => read(client, { ...options, ...(signal && { signal }) }))
  const query = useQuery({ queryKey: [project, side, ...key], queryFn: ({ signal }) => readAgain(signal) })
  return { ...query, readAgain }
}
