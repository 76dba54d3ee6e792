import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { sessionWasRefused } from '../data/console-api.ts'
import { forgetClients } from '../data/project-client.ts'

/** What another attempt may change. */
const isForNow = (error: unknown): boolean => {
  const { status } = error as { status?: number }
  return status === undefined || status >= 500
}

/** A token of a project was refused: with the session, or with the role. */
const onError = (error: unknown): void => {
  if ((error as { status?: number }).status !== 401) return
  forgetClients()
  sessionWasRefused()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: (count, error) => count < 2 && isForNow(error), staleTime: 5_000 },
  },
})
