import { useQuery } from '@tanstack/react-query'
import { useProject } from './list-query.ts'

/** What a key is called. @returns undefined as the name until it is known, and of a key of the other side */
export function useKeyName(id: string) {
  const { project, side, client } = useProject()
  const { data: keys } = useQuery({
    queryKey: [project, side, 'keys'],
    queryFn: ({ signal }) => client.apiKeys.list({ signal }),
  })
  return { name: keys?.find((key) => key.id === id)?.name, params: { project, side } }
}
