import type { ListInvitationsQuery } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'

const BASE = 'invitations'

/** The invitations of members, as the address of the list says. `do` opens a dialog, and is not the API's. */
export const useInvitations = () =>
  useList(BASE, (client, { do: _opens, ...query }, signal) =>
    client.invitations.list({ ...query, include: ['role'] } as ListInvitationsQuery, { signal }),
  )

/**
 * Does something with invitations; what shows them is read again.
 * @param act what it asks of the API
 * @param onDone called when it is done
 */
export function useInvitationAct<Input = void>(
  act: (client: ReturnType<typeof useProject>['client'], input: Input) => PromiseLike<unknown>,
  onDone: () => void,
) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (input: Input) => act(client, input),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, BASE] })
      onDone()
    },
  })
}
