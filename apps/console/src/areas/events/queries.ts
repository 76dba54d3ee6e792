import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { useList, useProject } from '../../data/list-query.ts'

export interface LoggedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly member_id: string | null
  readonly request_id: string | null
}

export interface EventInFull extends LoggedEvent {
  readonly data: Readonly<Record<string, unknown>>
  readonly deliveries: readonly {
    readonly id: string
    readonly endpoint_id: string
    readonly state: string
    readonly attempts: number
    readonly last_status: number | null
    readonly last_error: string | null
  }[]
}

interface EventPage {
  readonly data: readonly LoggedEvent[]
  readonly pagination: { readonly next_cursor: string | null; readonly total?: number }
}

/** The log of events of the present side, the newest first, as the address of its screen says. */
export function useEvents() {
  const { project, side } = useProject()
  return useList<LoggedEvent>('events', async (_, query, signal) => {
    const given = Object.entries({ ...query, environment: side }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const path = `/projects/${project}/events?${new URLSearchParams(given)}`
    const { data, pagination } = await callConsole<EventPage>('GET', path, { signal })
    return { data, pagination, next_cursor: pagination.next_cursor }
  })
}

/** An event with its cause and its deliveries. */
export function useEvent(id: string) {
  const { project, side } = useProject()
  return useQuery({
    queryKey: [project, side, 'events', id],
    queryFn: async ({ signal }) => {
      const path = `/projects/${project}/events/${encodeURIComponent(id)}?environment=${side}`
      return (await callConsole<{ data: EventInFull }>('GET', path, { signal })).data
    },
  })
}

/** What the log is filtered by: groups such as `member.*`, then each type. */
export function useEventTypes() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'event-types'],
    queryFn: async ({ signal }) => {
      const names = (await client.webhooks.eventTypes.list({ signal })).map(({ name }) => name)
      const groups = [...new Set(names.map((name) => `${name.split('.')[0]}.*`))]
      return [...groups, ...names]
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
}
