import { useQuery } from '@tanstack/react-query'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'

export function KeyList() {
  const { project, side, client } = useProject()
  const {
    data: keys,
    error,
    refetch,
  } = useQuery({
    queryKey: [project, side, 'keys'],
    queryFn: ({ signal }) => client.apiKeys.list({ signal }),
  })
  return (
    <Page title={t('API keys')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {keys?.length === 0 && <Empty title={t('There are no keys yet')} />}
      {keys !== undefined && keys.length > 0 && (
        <DataTable
          label={t('API keys')}
          rows={keys}
          keyOf={({ id }) => id}
          columns={[
            { title: t('Name'), cell: ({ name }) => name },
            { title: t('Key'), cell: ({ prefix }) => <code>{prefix}…</code> },
            { title: t('Type'), cell: ({ type }) => type },
            {
              title: t('Status'),
              cell: ({ revoked_at }) => <Badge state={revoked_at === null ? 'active' : 'revoked'} />,
            },
            {
              title: t('Last used'),
              cell: ({ last_used_at }) => (last_used_at === null ? t('Never') : <Time at={last_used_at} />),
            },
          ]}
        />
      )}
    </Page>
  )
}
