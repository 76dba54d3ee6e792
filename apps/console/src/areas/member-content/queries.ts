import type { ListProtectionRulesQuery, ProtectionRuleInFull } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useList, useProject } from '../../data/list-query.ts'
import { type Read, readWithEtag } from '../../data/read.ts'

const BASE = 'page-rules'

export const useRules = () =>
  useList(BASE, (client, { is_active, ...query }, signal) =>
    client.memberContent.list(
      {
        ...query,
        ...(is_active !== undefined && { is_active: is_active === 'true' }),
      } as ListProtectionRulesQuery,
      { signal },
    ),
  )

/** Reads one rule. */
export function useReadRule(id: string) {
  const { client } = useProject()
  return (signal?: AbortSignal): Promise<Read<ProtectionRuleInFull>> =>
    readWithEtag((options) => client.memberContent.get(id, { ...options, signal }))
}

export function useRule(id: string) {
  const { project, side } = useProject()
  const read = useReadRule(id)
  return useQuery({ queryKey: [project, side, BASE, id], queryFn: ({ signal }) => read(signal) })
}
