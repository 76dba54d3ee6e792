import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { sessionWasRefused } from '../data/console-api.ts'
import { projectsQuery } from '../data/keys.ts'
import { forgetTokens } from '../data/project-client.ts'
import { asQuery } from '../data/recorded-calls.ts'

/** What another attempt may change. */
const isForNow = (error: unknown): boolean => {
  const { status } = error as { status?: number }
  return status === undefined || status >= 500
}

/** A token of a project was refused: with the session, with the role, or with the project. */
const onError = (error: unknown): void => {
  const { status } = error as { status?: number }
  // The project can have been deleted or suspended, or the role have ended, since the list was read.
  if (status === 401 || status === 403 || status === 404)
    // Its own failure is in the query.
    queryClient.invalidateQueries(projectsQuery, { cancelRefetch: false }).catch(() => undefined)
  onSessionError(error)
}

const onSessionError = (error: unknown): void => {
  if ((error as { status?: number }).status !== 401) return
  forgetTokens()
  sessionWasRefused()
}
const isOfProjects = (key: readonly unknown[]): boolean => key[0] === projectsQuery.queryKey[0]

/** The client of all queries. What a query calls is remembered as its own, so that a screen can show itself as code. */
class RecordingClient extends QueryClient {
  override defaultQueryOptions = ((options: WatchedOptions) => {
    const { queryFn, _defaulted: isDone } = options
    const all = super.defaultQueryOptions(options as never) as unknown as WatchedOptions
    if (isDone || typeof queryFn !== 'function') return all
    return { ...all, queryFn: (context: WatchedContext) => asQuery(context.queryKey, () => queryFn(context)) }
  }) as unknown as QueryClient['defaultQueryOptions']
}

interface WatchedContext {
  readonly queryKey: readonly unknown[]
}
interface WatchedOptions {
  readonly queryFn?: (context: WatchedContext) => unknown
  readonly _defaulted?: boolean
}

export const queryClient = new RecordingClient({
  queryCache: new QueryCache({
    // The list of projects is not the reason to read itself again.
    onError: (error, { queryKey }) => (isOfProjects(queryKey) ? onSessionError(error) : onError(error)),
  }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: (count, error) => count < 2 && isForNow(error), staleTime: 5_000 },
    // Without a network an act fails with its reason; it does not wait unseen and happen later.
    mutations: { networkMode: 'always' },
  },
})
