import type { ListProtectionRulesQuery } from '@guildhall/sdk'
import { useList } from '../../data/list-query.ts'

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
