import type { ListMembersQuery } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'

export const useMembers = () =>
  useList('members', (client, query, signal) => client.members.list(query as ListMembersQuery, { signal }))

/** One member, with what the console shows beside the usual fields. */
export function useMember(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'members', id],
    queryFn: ({ signal }) =>
      client.members.get(id, { include: ['role', 'updated_at', 'last_login_at'] }, { signal }),
  })
}
