import type { Options } from '@guildhall/sdk'
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
  const readBy = async (call: (onHeaders: (headers: Headers) => void) => Promise<{ data: object }>) => {
    let etag: string | undefined
    const { data } = await call((headers) => {
      etag = headers.get('etag') ?? undefined
    })
    return { value: data, etag }
  }
  const readAgain = (signal?: AbortSignal): Promise<Read<object>> =>
    readBy((onHeaders) => callConsole('GET', path, { onHeaders, ...(signal && { signal }) }))
  const query = useQuery({ queryKey, queryFn: ({ signal }) => readAgain(signal) })
  const save = async (body: object, { ifMatch }: { readonly ifMatch?: string }) => {
    const saved = await readBy((onHeaders) => callConsole('PATCH', path, { body, ifMatch, onHeaders }))
    queries.setQueryData(queryKey, saved)
  }
  return { ...query, readAgain, save }
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
