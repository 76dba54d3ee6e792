import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { callConsole, type Me } from '../../data/console-api.ts'

/** An authenticator app, or a passkey. */
export interface Factor {
  readonly id: string
  readonly type: 'totp' | 'passkey'
  readonly name: string
  readonly created_at: string
  readonly last_used_at: string | null
}

export interface Session {
  readonly id: string
  readonly ip: string | null
  readonly user_agent: string | null
  readonly aal: 'aal1' | 'aal2'
  readonly amr: readonly string[]
  readonly created_at: string
  readonly last_seen_at: string
  readonly current: boolean
}

function useOwn<T>(name: string, path: string) {
  return useQuery({
    queryKey: ['me', name],
    queryFn: async ({ signal }) => (await callConsole<{ data: T }>('GET', path, { signal })).data,
  })
}

export const useFactors = () => useOwn<readonly Factor[]>('factors', '/mfa/factors')
export const useSessions = () => useOwn<readonly Session[]>('sessions', '/sessions')

/**
 * Calls something of the own account. A wrong password or code is 401, which says nothing about the session: it is shown and
 * not taken for the end of the session.
 */
export async function callOwn<T>(method: string, path: string, body?: unknown): Promise<T> {
  // An access token that has run out is replaced first.
  await callConsole<{ data: Me }>('GET', '/me')
  return callConsole<T>(method, path, { isSignedIn: false, ...(body !== undefined && { body }) })
}

/** Changes something of the own account; what shows it is read again. */
export function useOwnChange<Given, Result = unknown>(
  change: (given: Given) => Promise<Result>,
  onDone?: (result: Result) => void,
) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (result) => {
      await queries.invalidateQueries({ queryKey: ['me'] })
      onDone?.(result)
    },
    // Codes and secrets are kept nowhere once they are off the screen.
    gcTime: 0,
  })
}
