import type { WebhookEndpoint } from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { offerUndo } from '../../ui/undo-toast/undo.ts'
import { EditWebhook } from './edit.tsx'
import { MoreActs } from './more.tsx'

/** What can be done with a webhook. */
export function WebhookActs({ read }: { readonly read: Read<WebhookEndpoint> }) {
  const { value: webhook } = read
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [shown, setShown] = useState<'edit' | 'delete'>()
  const refresh = () => queries.invalidateQueries({ queryKey: [project, side, 'webhooks'] })
  const disable = async () => {
    // What happens until it is taken back is sent, too.
    const recover_since = new Date().toISOString()
    await client.webhooks.disable(webhook.id)
    await refresh()
    offerUndo({
      text: t('The webhook was disabled'),
      undo: () => client.webhooks.enable(webhook.id, { recover_since }),
      onSettled: refresh,
    })
  }
  const enable = async () => {
    await client.webhooks.enable(webhook.id)
    await refresh()
  }
  const close = () => setShown(undefined)
  return (
    <>
      <Button onPress={() => setShown('edit')}>{t('Edit')}</Button>
      {webhook.enabled ? (
        <Button onPress={disable}>{t('Disable')}</Button>
      ) : (
        <Button onPress={enable}>{t('Enable')}</Button>
      )}
      <MoreActs webhook={webhook} />
      <Button kind="danger" onPress={() => setShown('delete')}>
        {t('Delete')}
      </Button>
      {shown === 'edit' && <EditWebhook read={read} onClose={close} />}
      {shown === 'delete' && (
        <Confirm
          title={t('Delete the webhook?')}
          verb={t('Delete')}
          risk="verb"
          act={() => client.webhooks.delete(webhook.id, { ifMatch: read.etag })}
          onDone={async () => {
            await navigate({ to: '/$project/$side/webhooks', params: { project, side } })
            await refresh()
          }}
          onClose={close}
        >
          {t('Its deliveries and its secret go with it. Your server receives nothing more of it.')}
        </Confirm>
      )}
    </>
  )
}
