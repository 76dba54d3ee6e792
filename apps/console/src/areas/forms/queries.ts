import type {
  FormDetail,
  GetFormQuery,
  Guildhall,
  ListFormSubmissionsQuery,
  ListFormsQuery,
} from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { type Read, readWithEtag } from '../../data/read.ts'

const BASE = 'forms'

export const useForms = () =>
  useList(BASE, (client, query, signal) => client.forms.list(query as ListFormsQuery, { signal }))

export type ReadForm = Read<FormDetail>

const INCLUDE: GetFormQuery['include'] = [
  ...(['type', 'status', 'version', 'submission_count', 'updated_at', 'published_at'] as const),
]

/** Reads one form with its draft, and all that the console shows of it. */
export function useReadForm(id: string) {
  const { client } = useProject()
  return (signal?: AbortSignal): Promise<ReadForm> =>
    readWithEtag((options) => client.forms.get(id, { include: INCLUDE }, { ...options, signal }))
}

export function useForm(id: string) {
  const { project, side } = useProject()
  const read = useReadForm(id)
  return useQuery({ queryKey: [project, side, BASE, id], queryFn: ({ signal }) => read(signal) })
}

/** The published versions of a form, the latest first. */
export function useVersions(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'versions'],
    queryFn: async ({ signal }) => (await client.forms.versions.list(id, { limit: 20 }, { signal })).data,
  })
}

/** How often each value was submitted. */
export function useSummary(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'summary'],
    queryFn: ({ signal }) => client.forms.summary.get(id, {}, { signal }),
  })
}

/** The submissions of a form, as the address of its screen says. */
export const useSubmissions = (id: string) =>
  useList(`${BASE}/${id}/submissions`, (client, query, signal) =>
    client.forms.submissions.list(id, { ...query, include: ['status'] } as ListFormSubmissionsQuery, {
      signal,
    }),
  )

export function useSubmission(id: string, submission: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, `${BASE}/${id}/submissions`, 'one', submission],
    queryFn: ({ signal }) => client.forms.submissions.get(id, submission, { signal }),
  })
}

/** Does something to forms; everything that shows one is read again. */
export function useFormChange<Input = void, Result = unknown>(
  act: (client: Guildhall, input: Input) => Promise<Result>,
  onDone?: (result: Result, input: Input) => unknown,
) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => act(client, input),
    onSuccess: async (result, input) => {
      await onDone?.(result, input)
      await queries.invalidateQueries({
        predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
          ofProject === project && ofSide === side && String(name).startsWith(BASE),
      })
    },
  })
}
