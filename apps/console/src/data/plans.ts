import { useQuery } from '@tanstack/react-query'
import { useProject } from './list-query.ts'

/** The names of all plans of the present side. */
export function usePlans() {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'plan-names'],
    queryFn: async ({ signal }) => {
      const plans: { readonly id: string; readonly name: string }[] = []
      for await (const { id, name } of client.plans.list({}, { signal })) plans.push({ id, name })
      return plans
    },
    staleTime: 60_000,
  })
}
