import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { useList, useProject } from '../../data/list-query.ts'

export interface LoggedRequest {
  readonly id: string
  readonly at: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly code: string | null
  readonly key_id: string | null
  readonly member_id: string | null
  readonly operator_id: string | null
}

export interface CausedDelivery {
  readonly id: string
  readonly endpoint_id: string
  readonly state: string
  readonly attempts: number
  readonly last_status: number | null
  readonly last_error: string | null
}

export interface CausedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly member_id: string | null
  readonly deliveries: readonly CausedDelivery[]
}

export interface CausedJob {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly attempts: number
  readonly last_error: string | null
  readonly created_at: string
}

interface Trace {
  readonly requests: readonly LoggedRequest[]
  readonly events: readonly CausedEvent[]
  readonly jobs: readonly CausedJob[]
}

interface LoggedPage {
  readonly data: readonly LoggedRequest[]
  readonly pagination: { readonly next_cursor: string | null; readonly total?: number }
}

/** The request log of the present side, as the address of its screen says. */
export function useRequests() {
  const { project, side } = useProject()
  return useList<LoggedRequest>('requests', async (_, query, signal) => {
    const given = Object.entries({ ...query, environment: side }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const path = `/projects/${project}/requests?${new URLSearchParams(given)}`
    const { data, pagination } = await callConsole<LoggedPage>('GET', path, { signal })
    return { data, pagination, next_cursor: pagination.next_cursor }
  })
}

/** A request, and what it caused. */
export function useTrace(id: string) {
  const { project, side } = useProject()
  return useQuery({
    queryKey: [project, side, 'requests', 'trace', id],
    queryFn: async ({ signal }) => {
      const path = `/projects/${project}/requests/${encodeURIComponent(id)}?environment=${side}`
      return (await callConsole<{ data: Trace }>('GET', path, { signal })).data
    },
  })
}
