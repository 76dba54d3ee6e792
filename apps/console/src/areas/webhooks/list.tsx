import type { WebhookEndpoint } from '@guildhall/sdk'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { CreateWebhook } from './edit.tsx'
import { useWebhooks } from './queries.ts'

/** A webhook in one word: `failing` while nothing of it succeeds. */
export const stateOf = ({ enabled, failing_since }: WebhookEndpoint): 'active' | 'failing' | 'disabled' => {
  if (!enabled) return 'disabled'
  return failing_since === null ? 'active' : 'failing'
}

export function WebhookList() {
  const list = useWebhooks()
  const { canChange } = useRights()
  const [isCreating, setCreating] = useState(false)
  return (
    <>
      <ListScreen
        actions={
          canChange && (
            <Button kind="primary" onPress={() => setCreating(true)}>
              {t('Create a webhook')}
            </Button>
          )
        }
        title={t('Webhooks')}
        list={list}
        searchLabel={t('Search webhooks')}
        filters={[
          {
            name: 'enabled',
            label: t('Status'),
            values: ['true', 'false'],
            titleOf: (value) => (value === 'true' ? t('enabled') : t('disabled')),
          },
        ]}
        keyOf={({ id }) => id}
        linkOf={({ id }) => ({ to: '/$project/$side/webhooks/$id', params: { ...list.params, id } })}
        columns={[
          { title: t('Address'), cell: ({ url }) => url },
          { title: t('Events'), cell: ({ events }) => <code>{events.join(', ')}</code> },
          { title: t('Status'), cell: (webhook) => <Badge state={stateOf(webhook)} /> },
          { title: t('Created'), cell: ({ created_at }) => <Time at={created_at} />, sort: 'created_at' },
        ]}
        empty={
          <Empty title={t('There are no webhooks yet')}>
            {t('A webhook tells your server what happens, such as a new member or a paid order.')}
          </Empty>
        }
      />
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
    </>
  )
}
