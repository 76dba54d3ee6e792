import type { DailyStats, GetDailyStatsQuery } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { callConsole } from '../../data/console-api.ts'
import { useProject } from '../../data/list-query.ts'

/** The numbers of a side of a project, as the console's API has them. */
export interface Overview {
  readonly timezone: string
  readonly members: Readonly<Record<'total' | 'active' | 'pending' | 'inactive', number>>
  readonly subscriptions: readonly { readonly currency: string; readonly mrr: number }[]
  readonly webhooks: Readonly<
    Record<'endpoints' | 'failing' | 'disabled' | 'pending_deliveries' | 'failed_deliveries', number>
  >
  readonly submissions: Readonly<Record<'received' | 'spam', number>>
  readonly days: readonly {
    readonly date: string
    readonly submissions: number
    readonly failed_deliveries: number
  }[]
}

const BASE = 'overview'

export function useOverview() {
  const { project, side } = useProject()
  return useQuery({
    queryKey: [project, side, BASE],
    queryFn: async ({ signal }) => {
      const path = `/projects/${project}/overview?environment=${side}`
      return (await callConsole<{ data: Overview }>('GET', path, { signal })).data
    },
  })
}

export type Metric = GetDailyStatsQuery['metric']

const DAY_MS = 86_400_000
const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10)

/** So many days of a metric. @param today the last of them, by the time zone of the project */
export function useDaily(metric: Metric, days: number, today: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'daily', metric, days, today],
    queryFn: ({ signal }): Promise<DailyStats> => {
      const range = { start_date: daysBefore(today, days - 1), end_date: today }
      return client.stats.daily.get({ metric, ...range }, { signal })
    },
    placeholderData: (shown) => shown,
  })
}

/** How many things of other screens wait for somebody. */
export function useWaiting() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'waiting'],
    queryFn: async ({ signal }) => {
      const one = { limit: 1 }
      const [held, orders, subscriptions] = await Promise.all([
        client.moderation.queue.list({ ...one, status: 'open' }, { signal }),
        client.orders.list({ ...one, status: 'paid' }, { signal }),
        client.subscriptions.list({ ...one, status: 'past_due' }, { signal }),
      ])
      return {
        held: held.pagination.total ?? 0,
        orders: orders.pagination.total ?? 0,
        subscriptions: subscriptions.pagination.total ?? 0,
      }
    },
  })
}
