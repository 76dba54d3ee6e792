import type {
  Comment,
  CommentWithReplies,
  DiscussionCategory,
  GetDiscussionQuery,
  ListCommentsQuery,
  ListDiscussionRevisionsQuery,
  ListDiscussionsQuery,
} from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { readWithEtag, useRead } from '../../data/read.ts'

const BASE = 'discussions'
const CATEGORIES = 'discussion-categories'

export const useDiscussions = () =>
  useList(BASE, (client, { pinned, ...query }, signal) =>
    client.discussions.list(
      {
        ...query,
        ...(pinned !== undefined && { pinned: pinned === 'true' }),
        include: ['author'],
      } as ListDiscussionsQuery,
      { signal },
    ),
  )

/** Reads a discussion, with its ETag, which a change is sent with. */
export function useReadDiscussion() {
  const { client } = useProject()
  return async (id: string, signal?: AbortSignal) => {
    const query: GetDiscussionQuery = { include: ['author', 'attachments'] }
    const { value: discussion, etag } = await readWithEtag((options) =>
      client.discussions.get(id, query, { ...options, ...(signal && { signal }) }),
    )
    return { discussion, etag }
  }
}

export function useDiscussion(id: string) {
  const { project, side } = useProject()
  const read = useReadDiscussion()
  return useQuery({ queryKey: [project, side, BASE, id], queryFn: ({ signal }) => read(id, signal) })
}

export const useComment = (id: string) =>
  useRead<Comment>([BASE, 'comment', id], (client, options) => client.comments.get(id, {}, options))

/** The comments of a discussion, as the address of its screen says. */
export const useComments = (id: string) =>
  useList<CommentWithReplies>(`${BASE}/${id}/comments`, (client, query, signal) =>
    client.discussions.comments.list(
      id,
      { view: 'tree', depth: 5, ...query, include: ['author', 'attachments'] } as ListCommentsQuery,
      { signal },
    ),
  )

/** Most replies that are read at once. */
const REPLIES = 100

/** The replies to a comment that its list leaves out. */
export function useReplies(discussionId: string, parentId: string, isWanted: boolean) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, `${BASE}/${discussionId}/comments`, parentId],
    queryFn: async ({ signal }) =>
      (
        await client.discussions.comments.list(
          discussionId,
          { parent_id: parentId, limit: REPLIES, include: ['author', 'attachments'] },
          { signal },
        )
      ).data,
    enabled: isWanted,
  })
}

/** Earlier versions of a discussion or of a comment, the newest first. */
export function useRevisions(of: 'discussions' | 'comments', id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'revisions', id],
    queryFn: async ({ signal }) => {
      const query: ListDiscussionRevisionsQuery = { limit: 100, include: ['author'] }
      const page =
        of === 'discussions'
          ? await client.discussions.revisions.list(id, query, { signal })
          : await client.comments.revisions.list(id, query, { signal })
      return page.data
    },
  })
}

/** All categories, in the order of the team: a project has 500 at the most. */
export function useAllCategories() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, CATEGORIES, 'all'],
    queryFn: async ({ signal }) => {
      const all: DiscussionCategory[] = []
      for await (const category of client.discussionCategories.list({ limit: 100 }, { signal }))
        all.push(category)
      return all
    },
    staleTime: 30_000,
  })
}

export const useCategories = () =>
  useList(CATEGORIES, (client, { page, limit }, signal) =>
    client.discussionCategories.list({ page, limit }, { signal }),
  )

export const useCategory = (id: string) =>
  useRead<DiscussionCategory>([CATEGORIES, id], (client, options) =>
    client.discussionCategories.get(id, options),
  )

/** Everything that shows discussions, comments or categories is read again. */
export function useReadAgain() {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
        ofProject === project && ofSide === side && /^(discussion|moderation)/.test(String(name)),
    })
}

/** Does something to discussions, comments or categories; what shows them is read again. */
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
