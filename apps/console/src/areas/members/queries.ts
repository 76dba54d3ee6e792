import type { GetMemberQuery, ListMembersQuery, MemberWithPlan } from '@guildhall/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { type Read, readWithEtag } from '../../data/read.ts'

const BASE = 'members'

/** The members of the present side, as the address of the list says. `do` opens a dialog, and is not the API's. */
export const useMembers = () =>
  useList(BASE, (client, { do: _opens, deleted, ...query }, signal) =>
    client.members.list(
      {
        ...query,
        ...(deleted === 'true' && { deleted: true }),
        include: ['role', 'last_login_at'],
      } as ListMembersQuery,
      { signal },
    ),
  )

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
    queryKey: [project, side, BASE, id],
    queryFn: ({ signal }) => read(signal),
  })
}

/** The suspension of a member, or null. */
export function useSuspension(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'suspension'],
    queryFn: ({ signal }) => client.members.suspension.get(id, { signal }),
  })
}

/** The sessions of a member, which viewers are not shown. */
export function useSessions(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'sessions'],
    queryFn: ({ signal }) => client.members.sessions.list(id, { signal }),
  })
}

/** The credit of a member: balances, with the newest entry. */
export function useCredit(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, BASE, id, 'credit'],
    queryFn: ({ signal }) => client.members.credit.list(id, { limit: 1 }, { signal }),
  })
}

/**
 * Does something with members; what shows them is read again.
 * @param act what it asks of the API
 * @param onDone called when it is done
 */
export function useMemberAct<Answer, Input = void>(
  act: (client: ReturnType<typeof useProject>['client'], input: Input) => PromiseLike<Answer>,
  onDone: (answer: Answer) => unknown = () => undefined,
) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => act(client, input),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: [project, side] })
      await onDone(answer)
    },
  })
}
