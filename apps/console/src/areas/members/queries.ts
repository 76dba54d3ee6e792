import type { GetMemberQuery, ListMembersQuery, MemberWithPlan } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'

export const useMembers = () =>
  useList('members', (client, query, signal) => client.members.list(query as ListMembersQuery, { signal }))

/** A member as it was read, and its ETag, which a change is sent with. */
export interface ReadMember {
  readonly member: MemberWithPlan
  readonly etag: string | undefined
}

/** One member, with what the console shows beside the usual fields. */
export function useMember(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'members', id],
    queryFn: async ({ signal }) => {
      let etag: string | undefined
      const onResponse = ({ headers }: Response) => {
        etag = headers.get('etag') ?? undefined
      }
      const query: GetMemberQuery = { include: ['role', 'updated_at', 'last_login_at'] }
      const member = await client.members.get(id, query, { signal, onResponse })
      return { member, etag }
    },
  })
}
