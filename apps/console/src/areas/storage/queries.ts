import type { FileDetail, Guildhall, ListFilesQuery, File as StoredFile } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { type Read, readWithEtag } from '../../data/read.ts'

const BASE = 'files'

export const useFiles = () =>
  useList(BASE, (client, query, signal) => client.storage.files.list(query as ListFilesQuery, { signal }))

/** Reads a file with what uses it. */
export function useReadFile(id: string) {
  const { client } = useProject()
  return (signal?: AbortSignal): Promise<Read<FileDetail>> =>
    readWithEtag((options) => client.storage.files.get(id, { include: ['used_by'] }, { ...options, signal }))
}

export function useFile(id: string) {
  const { project, side } = useProject()
  const read = useReadFile(id)
  return useQuery({ queryKey: [project, side, BASE, 'one', id], queryFn: ({ signal }) => read(signal) })
}

/** What the project stores, and may store. */
export function useUsage() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'usage'],
    queryFn: ({ signal }) => client.storage.usage.get({ signal }),
  })
}

/** Pictures that are larger are not shown before somebody opens them. */
const MOST_SHOWN_BYTES = 8 * 1024 * 1024
const SHOWN = /^image\/(?:png|jpeg|gif|webp|avif)$/

export const isShown = ({ content_type, size, status }: StoredFile): boolean =>
  status === 'ready' && SHOWN.test(content_type) && size <= MOST_SHOWN_BYTES

/** A picture as an address of its own bytes, which the policy of the page lets it show. */
export function usePicture(file: StoredFile) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'picture', file.id, file.checksum_sha256],
    queryFn: async ({ signal }) =>
      toDataUrl(await (await client.storage.files.content.get(file.id, { signal })).blob()),
    enabled: isShown(file),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
}

const toDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })

/** Does something to files; everything that shows one is read again. */
export function useFileChange<Input = void, Result = unknown>(
  act: (client: Guildhall, input: Input) => Promise<Result>,
  onDone?: (result: Result) => unknown,
) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => act(client, input),
    onSuccess: (result) => onDone?.(result),
    // Some of many may be done where others failed.
    onSettled: () => queries.invalidateQueries({ queryKey: [project, side, BASE] }),
  })
}
