import type { ListModerationQueueQuery, QueuedCase } from '@guildhall/sdk'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { readWithEtag } from '../../data/read.ts'

const QUEUE = 'moderation-queue'
const RULES = 'moderation-rules'
const SUSPENSIONS = 'moderation-suspensions'

export const useQueue = () =>
  useList<QueuedCase>(QUEUE, (client, query, signal) =>
    client.moderation.queue.list(
      { ...query, include: ['author', 'attachments'] } as ListModerationQueueQuery,
      { signal },
    ),
  )

/** Everything that shows posts, cases or suspensions is read again. */
export const readAgain = (queries: QueryClient, project: string, side: string) =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
      ofProject === project && ofSide === side && /^(moderation|discussion|feedback)/.test(String(name)),
  })

export const useRules = () =>
  useList(RULES, (client, { page, limit, enabled }, signal) =>
    client.moderation.rules.list(
      { page, limit, ...(enabled !== undefined && { enabled: enabled === 'true' }) },
      { signal },
    ),
  )

/** Reads a rule with its words, and its ETag, which a change is sent with. */
export function useReadRule() {
  const { client } = useProject()
  return async (id: string, signal?: AbortSignal) => {
    const { value: rule, etag } = await readWithEtag((options) =>
      client.moderation.rules.get(id, { ...options, ...(signal && { signal }) }),
    )
    return { rule, etag }
  }
}

export function useRule(id: string) {
  const { project, side } = useProject()
  const read = useReadRule()
  return useQuery({ queryKey: [project, side, RULES, id], queryFn: ({ signal }) => read(id, signal) })
}

export const useSuspensions = () =>
  useList(SUSPENSIONS, (client, { page, limit }, signal) =>
    client.suspensions.list({ page, limit, include: ['author'] }, { signal }),
  )

/** The same, of the present side of the project. */
export function useReadAgain() {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return () => readAgain(queries, project, side)
}

/** Does something to rules or suspensions; what shows them is read again. */
export function useAct<Input = void>(act: (input: Input) => PromiseLike<unknown>, onDone?: () => void) {
  const readEverything = useReadAgain()
  return useMutation({
    mutationFn: async (input: Input) => {
      await act(input)
    },
    onSuccess: async () => {
      await readEverything()
      onDone?.()
    },
  })
}

/** What an author has written and what became of it. */
export function useHistory(authorId: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'moderation-history', authorId],
    queryFn: async ({ signal }) => {
      const of = { author_id: authorId, limit: 3 } as const
      const [shown, removed, comments, removedComments, suspension] = await Promise.all([
        client.discussions.list({ ...of, sort: 'newest' }, { signal }),
        client.discussions.list({ ...of, status: 'removed', sort: 'newest' }, { signal }),
        client.comments.list(of, { signal }),
        client.comments.list({ ...of, status: 'removed' }, { signal }),
        client.members.suspension.get(authorId, { signal }),
      ])
      return { shown, removed, comments, removedComments, suspension }
    },
    staleTime: 30_000,
  })
}
