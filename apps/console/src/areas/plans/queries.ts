import type { ListPlansQuery, Plan } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'

export const usePlans = () =>
  useList('plans', (client, query, signal) => client.plans.list(query as ListPlansQuery, { signal }))

/** A plan as it was read, and its ETag, which a change is sent with. */
export interface ReadPlan {
  readonly plan: Plan
  readonly etag: string | undefined
}

export function usePlan(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'plans', id],
    queryFn: async ({ signal }): Promise<ReadPlan> => {
      let etag: string | undefined
      const onResponse = ({ headers }: Response) => {
        etag = headers.get('etag') ?? undefined
      }
      return { plan: await client.plans.get(id, { signal, onResponse }), etag }
    },
  })
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

/** An act on a plan; everything that shows plans is read again. */
export function usePlanAct<Answer>(act: () => Promise<Answer>, onDone: (answer: Answer) => void) {
  const { project, side } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer) => {
      onDone(answer)
      await queries.invalidateQueries({ queryKey: [project, side, 'plans'] })
    },
  })
}
