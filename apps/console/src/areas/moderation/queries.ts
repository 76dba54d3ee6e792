import type { ListModerationQueueQuery, QueuedCase } from '@guildhall/sdk'
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'

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

/** A rule with its words, and its ETag, which a change is sent with. */
export function useRule(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, RULES, id],
    queryFn: async ({ signal }) => {
      let etag: string | undefined
      const onResponse = ({ headers }: Response) => {
        etag = headers.get('etag') ?? undefined
      }
      const rule = await client.moderation.rules.get(id, { signal, onResponse })
      return { rule, etag }
    },
  })
}

export const useSuspensions = () =>
  useList(SUSPENSIONS, (client, { page, limit }, signal) =>
    client.suspensions.list({ page, limit, include: ['author'] }, { signal }),
  )

/** Does something to rules or suspensions; what shows them is read again. */
export function useAct<Input = void>(act: (input: Input) => PromiseLike<unknown>, onDone?: () => void) {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => {
      await act(input)
    },
    onSuccess: async () => {
      await readAgain(queries, project, side)
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
