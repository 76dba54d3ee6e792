import { useQuery, useQueryClient } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { useProject } from '../../data/list-query.ts'
import { type Read, readWithEtag } from '../../data/read.ts'

/** The settings of the present side, which the console alone has. */
export function useSettings() {
  const { project, side } = useProject()
  const path = `/projects/${project}/settings/${side}`
  const queries = useQueryClient()
  const queryKey = [project, side, 'settings']
  const readAgain = (signal?: AbortSignal): Promise<Read<object>> =>
    readWithEtag((options) => settingsOf('GET', path, { ...options, ...(signal && { signal }) }))
  const query = useQuery({ queryKey, queryFn: ({ signal }) => readAgain(signal) })
  const save = async (body: object, { ifMatch }: { readonly ifMatch?: string }) => {
    const saved = await readWithEtag((options) => settingsOf('PATCH', path, { ...options, body, ifMatch }))
    queries.setQueryData(queryKey, saved)
  }
  return { ...query, readAgain, save }
}

const settingsOf = async (...call: Parameters<typeof callConsole>): Promise<object> =>
  (await callConsole<{ readonly data: object }>(...call)).data
