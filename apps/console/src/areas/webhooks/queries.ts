import type { ListWebhookDeliveriesQuery, ListWebhookEndpointsQuery } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { useRead } from '../../data/read.ts'

const BASE = 'webhooks'

export const useWebhooks = () =>
  useList(BASE, (client, { enabled, ...query }, signal) =>
    client.webhooks.list(
      {
        ...query,
        ...(enabled !== undefined && { enabled: enabled === 'true' }),
      } as ListWebhookEndpointsQuery,
      { signal },
    ),
  )

export const useWebhook = (id: string) =>
  useRead([BASE, id], (client, options) => client.webhooks.get(id, options))

/** The deliveries to a webhook, as the address of its screen says. */
export const useDeliveries = (id: string) =>
  useList(`${BASE}/${id}/deliveries`, (client, query, signal) =>
    client.webhooks.deliveries.list(id, query as ListWebhookDeliveriesQuery, { signal }),
  )

/** How often a delivery that is not ended is looked at again, in milliseconds. */
const AGAIN_MS = 3_000

export function useDelivery(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, 'delivery', id],
    queryFn: ({ signal }) => client.webhooks.deliveries.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.finished_at === null ? AGAIN_MS : false),
  })
}

/** What shows deliveries: webhooks, and the events and requests that caused them. */
const shows = (name: string): boolean => name.startsWith(BASE) || ['events', 'requests'].includes(name)

/** Sends a delivery again; everything that shows it is read again. */
export function useReplay(id: string) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => client.webhooks.deliveries.retry(id),
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
          ofProject === project && ofSide === side && shows(String(name)),
      }),
  })
}
