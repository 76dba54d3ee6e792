import type { GetMemberQuery, ListMembersQuery, MemberWithPlan } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { type Read, readWithEtag } from '../../data/read.ts'

export const useMembers = () =>
  useList('members', (client, query, signal) => client.members.list(query as ListMembersQuery, { signal }))

export type ReadMember = Read<MemberWithPlan>

/** Reads one member, with what the console shows beside the usual fields. */
export function useReadMember(id: string) {
  const { client } = useProject()
  const query: GetMemberQuery = { include: ['role', 'updated_at', 'last_login_at'] }
  return (signal?: AbortSignal): Promise<ReadMember> =>
    readWithEtag((options) => client.members.get(id, query, { ...options, signal }))
}

export function useMember(id: string) {
  const { project, side } = useProject()
  const read = useReadMember(id)
  return useQuery({
    queryKey: [project, side, 'members', id],
    queryFn: ({ signal }) => read(signal),
  })
}
