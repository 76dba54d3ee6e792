import type { Guildhall, Options } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useProject } from './list-query.ts'

/** A thing as it was read, and its ETag, which a change of it is sent with. */
export interface Read<Thing> {
  readonly value: Thing
  readonly etag: string | undefined
}

/** Reads one thing with its ETag. @param read calls the operation with these options */
export async function readWithEtag<Thing>(
  read: (options: Pick<Options, 'onResponse'>) => Promise<Thing>,
): Promise<Read<Thing>> {
  let etag: string | undefined
  const value = await read({
    onResponse: ({ headers }) => {
      etag = headers.get('etag') ?? undefined
    },
  })
  return { value, etag }
}

/** One thing of the present side, with the ETag that a change of it is sent with. @param key of its query, below the side */
export function useRead<Thing>(
  key: readonly string[],
  read: (client: Guildhall, options: Options) => Promise<Thing>,
) {
  const { project, side, client } = useProject()
  const readAgain = (signal?: AbortSignal) =>
    readWithEtag((options) => read(client, { ...options, ...(signal && { signal }) }))
  const query = useQuery({ queryKey: [project, side, ...key], queryFn: ({ signal }) => readAgain(signal) })
  return { ...query, readAgain }
}
