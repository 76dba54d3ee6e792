import { useQuery } from '@tanstack/react-query'
import { useProject } from './list-query.ts'

const FRESH_MS = 60_000

/** The plans of the project, archived ones too, by rank: for names, and to choose one. */
export function usePlanChoices() {
  const { project, side, client } = useProject()
  const { data: plans = [], isSuccess: isLoaded } = useQuery({
    queryKey: [project, side, 'plans', 'choices'],
    queryFn: async ({ signal }) => (await client.plans.list({ limit: 100 }, { signal })).data,
    staleTime: FRESH_MS,
  })
  const nameOf = (id: string): string => plans.find((plan) => plan.id === id)?.name ?? id
  return { plans, nameOf, isLoaded }
}
