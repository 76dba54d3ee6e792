import type {
  FeedbackItem,
  FeedbackStatus,
  GetFeedbackQuery,
  ListFeedbackQuery,
  NewStatus,
} from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { readWithEtag } from '../../data/read.ts'

const BASE = 'feedback'

/** What a status can be set to. `duplicate` is what a merge makes. */
export const STATUSES = ['new', 'under_review', 'planned', 'in_progress', 'done', 'declined'] as const
export type SetStatus = (typeof STATUSES)[number]
export const TYPES = ['feature', 'feedback', 'bug', 'question'] as const

export const useFeedback = () =>
  useList<FeedbackItem>(BASE, (client, { do: _opens, ...query }, signal) =>
    client.feedback.list({ ...query, include: ['author'] } as ListFeedbackQuery, { signal }),
  )

/** Reads an item, with its ETag, which a change is sent with. */
export function useReadItem() {
  const { client } = useProject()
  return async (id: string, signal?: AbortSignal) => {
    const query: GetFeedbackQuery = { include: ['author', 'attachments'] }
    const { value: item, etag } = await readWithEtag((options) =>
      client.feedback.get(id, query, { ...options, ...(signal && { signal }) }),
    )
    return { item, etag }
  }
}

export function useItem(id: string) {
  const { project, side } = useProject()
  const read = useReadItem()
  return useQuery({
    queryKey: [project, side, BASE, id],
    queryFn: ({ signal }) => read(id, signal),
  })
}

/** The comments on an item, as the address of its screen says. */
export const useComments = (id: string) =>
  useList(`${BASE}/${id}/comments`, (client, { page, limit }, signal) =>
    client.feedback.comments.list(id, { page, limit, include: ['author', 'attachments'] }, { signal }),
  )

/** Rows that parts of an item's screen show at most; their totals are with them. */
const FEW = 20

export function useVoters(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'voters'],
    queryFn: ({ signal }) => client.feedback.voters.list(id, { limit: FEW, include: ['author'] }, { signal }),
  })
}

export function useStatusChanges(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'changes'],
    queryFn: ({ signal }) => client.feedback.statusChanges.list(id, { limit: FEW }, { signal }),
  })
}

/** Items that say nearly the same as another one. */
export function useSimilar(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'similar'],
    queryFn: ({ signal }) => client.feedback.similar.list(id, {}, { signal }),
  })
}

/** Items whose title or text has these words, for a choice. */
export function useFound(search: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'found', search],
    queryFn: async ({ signal }) => (await client.feedback.list({ search, limit: 10 }, { signal })).data,
    enabled: search.trim() !== '',
    placeholderData: (before) => before,
  })
}

/** Most cards of one column of the board. */
export const CARDS = 50

export interface Column {
  readonly status: SetStatus
  readonly items: readonly FeedbackItem[]
  readonly total: number
}

/** The items of every status, those with the most votes first. */
export function useBoard(type: string | undefined) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'board', type ?? 'all'],
    queryFn: ({ signal }) =>
      Promise.all(
        STATUSES.map(async (status): Promise<Column> => {
          const page = await client.feedback.list(
            {
              ...{ status: status as FeedbackStatus, sort: 'top', limit: CARDS, include: ['author'] },
              ...(type !== undefined && { type: type as FeedbackItem['type'] }),
            } as ListFeedbackQuery,
            { signal },
          )
          return { status, items: page.data, total: page.pagination.total ?? page.data.length }
        }),
      ),
    placeholderData: (before) => before,
  })
}

/** The roadmap as visitors read it. */
export function usePublicRoadmap(isWanted: boolean) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'public-roadmap'],
    queryFn: ({ signal }) => client.roadmap.get({}, { signal }),
    enabled: isWanted,
  })
}

/** Everything that shows feedback is read again. */
export function useReadAgain() {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
        ofProject === project && ofSide === side && /^(feedback|moderation)/.test(String(name)),
    })
}

/** Does something to feedback; what shows it is read again. */
export function useAct<Input = void>(act: (input: Input) => PromiseLike<unknown>, onDone?: () => void) {
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: async (input: Input) => {
      await act(input)
    },
    onSuccess: async () => {
      await readAgain()
      onDone?.()
    },
  })
}

/** Sets the status of an item. @param onDone called when it is set */
export function useSetStatus(id: string, onDone: () => void) {
  const { client } = useProject()
  return useAct((body: NewStatus) => client.feedback.status.set(id, body), onDone)
}
