import { useQuery } from '@tanstack/react-query'
import { useProject } from './list-query.ts'

/** The plans of the project, archived ones too. */
export function usePlans() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'plans', 'all'],
    queryFn: async ({ signal }) => (await client.plans.list({ limit: 100 }, { signal })).data,
    staleTime: 60_000,
  })
}

/** The plans of the project, for names, and to choose one. */
export function usePlanChoices() {
  const { data: plans = [] } = usePlans()
  const nameOf = (id: string): string => plans.find((plan) => plan.id === id)?.name ?? id
  return { plans, nameOf }
}
