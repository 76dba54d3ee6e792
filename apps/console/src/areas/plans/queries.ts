import type { ListPlansQuery, Plan } from '@guildhall/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { type Read, readWithEtag } from '../../data/read.ts'

export const usePlans = () =>
  useList('plans', (client, query, signal) => client.plans.list(query as ListPlansQuery, { signal }))

export type ReadPlan = Read<Plan>

/** Reads one plan anew. */
export function useReadPlan(id: string) {
  const { client } = useProject()
  return (signal?: AbortSignal): Promise<ReadPlan> =>
    readWithEtag((options) => client.plans.get(id, { ...options, signal }))
}

export function usePlan(id: string) {
  const { project, side } = useProject()
  const read = useReadPlan(id)
  return useQuery({ queryKey: [project, side, 'plans', id], queryFn: ({ signal }) => read(signal) })
}

/** How many members of a plan its screen names. */
const FEW = 10

/** The newest members on a plan, and how many there are. */
export function useMembersOn(plan: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'members', 'on plan', plan],
    queryFn: ({ signal }) => client.members.list({ plan_id: plan, limit: FEW }, { signal }),
  })
}

const MOST_RULES = 100

/** What a plan opens: page rules and categories of discussions that ask for it. */
export function useOpenedBy(plan: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'plans', plan, 'opens'],
    queryFn: async ({ signal }) => {
      const [rules, categories] = await Promise.all([
        client.memberContent.list({ limit: MOST_RULES }, { signal }),
        client.discussionCategories.list({}, { signal }),
      ])
      const asks = ({ required_plans: plans }: { readonly required_plans: readonly string[] }) =>
        plans.includes(plan)
      return { rules: rules.data.filter(asks), categories: categories.data.filter(asks) }
    },
  })
}

/** What shows plans is read again after a change. */
export function useRefreshPlans() {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return () => queries.invalidateQueries({ queryKey: [project, side, 'plans'] })
}
