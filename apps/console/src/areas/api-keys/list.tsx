import type { ApiKey } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useRights } from '../../data/role.ts'
import { t, wordOf } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { CreateKey } from './create.tsx'
import { RevokeKey } from './revoke.tsx'
import { RotateKey } from './rotate.tsx'

const stateOf = ({ revoked_at, expires_at }: ApiKey): 'active' | 'revoked' | 'expired' => {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active'
}

export function KeyList() {
  const { project, side, client } = useProject()
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiKey>()
  const [rotated, setRotated] = useState<ApiKey>()
  const {
    data: keys,
    error,
    refetch,
  } = useQuery({
    queryKey: [project, side, 'keys'],
    queryFn: ({ signal }) => client.apiKeys.list({ signal }),
  })
  return (
    <Page
      title={t('API keys')}
      actions={
        canChange && (
          <Button kind="primary" onPress={() => setCreating(true)}>
            {t('Create a key')}
          </Button>
        )
      }
    >
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {keys === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {keys?.length === 0 && (
        <Empty title={t('There are no keys yet')}>{t('A server or a site uses the API with a key.')}</Empty>
      )}
      {keys !== undefined && keys.length > 0 && (
        <DataTable
          label={t('API keys')}
          rows={keys}
          keyOf={({ id }) => id}
          columns={[...columnsOf(), ...(canChange ? [actsColumn(setRevoked, setRotated)] : [])]}
        />
      )}
      {isCreating && <CreateKey onClose={() => setCreating(false)} />}
      {rotated && <RotateKey apiKey={rotated} onClose={() => setRotated(undefined)} />}
      {revoked && <RevokeKey apiKey={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  )
}

const columnsOf = (): Column<ApiKey>[] => [
  { title: t('Name'), cell: ({ name }) => name },
  { title: t('Key'), cell: ({ prefix }) => <code>{prefix}…</code> },
  { title: t('Type'), cell: ({ type }) => wordOf(type), hideBelow: 850 },
  { title: t('Status'), cell: (key) => <Badge state={stateOf(key)} /> },
  {
    title: t('Last used'),
    cell: ({ last_used_at }) => (last_used_at === null ? t('Never') : <Time at={last_used_at} />),
  },
]

type OnKey = (key: ApiKey) => void

const actsColumn = (onRevoke: OnKey, onRotate: OnKey): Column<ApiKey> => ({
  title: t('Actions'),
  // A cell without content is not shown on a telephone.
  cell: (key) =>
    stateOf(key) !== 'revoked' && (
      <Buttons>
        {stateOf(key) === 'active' && (
          <Button label={t('Replace {name}', { name: key.name })} onPress={() => onRotate(key)}>
            {t('Replace')}
          </Button>
        )}
        <Button label={t('Revoke {name}', { name: key.name })} onPress={() => onRevoke(key)}>
          {t('Revoke')}
        </Button>
      </Buttons>
    ),
})
