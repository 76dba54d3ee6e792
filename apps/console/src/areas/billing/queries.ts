import type { ListBillsQuery, ListSubscriptionHistoryQuery, ListSubscriptionsQuery } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'

export const SUBSCRIPTION_STATES = ['incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled']
export const BILL_STATES = ['open', 'paid', 'void', 'uncollectible']

export const useSubscriptions = () =>
  useList('subscriptions', (client, query, signal) =>
    client.subscriptions.list(query as ListSubscriptionsQuery, { signal }),
  )

export const useBills = () =>
  useList('bills', (client, query, signal) => client.bills.list(query as ListBillsQuery, { signal }))

export function useSubscription(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'subscriptions', id],
    queryFn: ({ signal }) => client.subscriptions.get(id, { signal }),
  })
}

/** The next bill of a subscription as it stands; null where none follows. */
export function useUpcoming(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'subscriptions', id, 'upcoming'],
    queryFn: ({ signal }) => client.subscriptions.upcoming.get(id, { signal }),
  })
}

const MOST_BILLS = 100

export function useBillsOf(subscription: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'bills', 'of', subscription],
    queryFn: async ({ signal }) =>
      (await client.bills.list({ subscription_id: subscription, limit: MOST_BILLS }, { signal })).data,
  })
}

/** The changes of a subscription, as the address of its screen says. */
export const useMoves = (id: string) =>
  useList(`subscriptions/${id}/history`, (client, { page, limit }, signal) =>
    client.subscriptions.history.list(id, { page, limit } as ListSubscriptionHistoryQuery, { signal }),
  )

export function useBill(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'bills', id],
    queryFn: ({ signal }) => client.bills.get(id, { signal }),
  })
}

/** What changes with money: it is read again after every act. */
const TOUCHED = ['subscriptions', 'bills', 'members', 'plans']

/** An act on a subscription or a bill. A repetition of it with the same key is done once. */
export function useBillingAct<Input, Answer>(
  act: (input: Input) => Promise<Answer>,
  onDone: (answer: Answer) => void,
) {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer) => {
      onDone(answer)
      await queries.invalidateQueries({
        predicate: ({ queryKey: [ofProject, ofSide, name] }) =>
          ofProject === project &&
          ofSide === side &&
          TOUCHED.some((touched) => String(name).split('/')[0] === touched),
      })
    },
  })
}
