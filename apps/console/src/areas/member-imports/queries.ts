import type { ListMemberImportsQuery, MemberImport } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'

const BASE = 'imports'

/** The imports of members of the last week. */
export const useImports = () =>
  useList(BASE, (client, query, signal) =>
    client.members.imports.list(query as ListMemberImportsQuery, { signal }),
  )

/** Milliseconds between two looks at an import that goes on. */
const AGAIN_MS = 1_000
const isOver = (status: string | undefined) => status === 'completed' || status === 'failed'

/** One import; while it goes on, it is read again. */
export function useImport(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id],
    queryFn: ({ signal }) => client.members.imports.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (isOver(data?.status) ? false : AGAIN_MS),
  })
}

/** A file, and whether it is only tried. */
interface Upload {
  readonly file: Blob
  readonly isTrial: boolean
}

/** Sends a file of members. @param onDone called with the import that has begun */
export function useUpload(onDone: (begun: MemberImport) => unknown) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ file, isTrial }: Upload) => {
      const body = new FormData()
      // Fields come before the file, which is read while it arrives.
      body.append('dry_run', String(isTrial))
      body.append('file', file, 'members.csv')
      return client.members.imports.create(body)
    },
    onSuccess: async (begun) => {
      await queries.invalidateQueries({ queryKey: [project, side, BASE] })
      await onDone(begun)
    },
  })
}

/** Puts a text that the API answers into a file. */
export async function saveAs(answer: Response, name: string): Promise<void> {
  const url = URL.createObjectURL(await answer.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
