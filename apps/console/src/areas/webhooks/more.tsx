import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { MenuButton } from '../../ui/menu-button/menu-button.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { NewSecret } from './edit.tsx'

type Open = 'test' | 'recover' | 'rotate' | 'secret'

/** What is done with a webhook less often: a test, missed events, and another secret. */
export function MoreActs({ webhook }: { readonly webhook: WebhookEndpoint }) {
  const { id, url, enabled } = webhook
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [open, setOpen] = useState<Open>()
  const [made, setMade] = useState<WebhookEndpointWithSecret>()
  const [shown, setShown] = useState<string>()
  const close = () => setOpen(undefined)
  const refresh = () => queries.invalidateQueries({ queryKey: [project, side, 'webhooks'] })
  return (
    <>
      <MenuButton
        name={t('More')}
        acts={[
          { name: t('Send a test'), onAct: () => setOpen('test') },
          ...(enabled ? [{ name: t('Send missed events'), onAct: () => setOpen('recover') }] : []),
          { name: t('Show the secret'), onAct: () => setOpen('secret') },
          { name: t('Replace the secret'), isDanger: true, onAct: () => setOpen('rotate') },
        ]}
      />
      {open === 'test' && (
        <Confirm
          title={t('Send a test?')}
          verb={t('Send a test')}
          isDanger={false}
          act={() => client.webhooks.test(id)}
          onDone={({ id: delivery }) =>
            navigate({
              to: '/$project/$side/webhooks/$id/$delivery',
              params: { project, side, id, delivery },
            })
          }
          onClose={close}
        >
          {t('An event without a member or an order is sent to {url}. Its delivery is shown next.', { url })}
        </Confirm>
      )}
      {open === 'recover' && <Recover id={id} onDone={refresh} onClose={close} />}
      {open === 'rotate' && (
        <Confirm
          title={t('Replace the secret?')}
          verb={t('Replace')}
          act={() => client.webhooks.rotateSecret(id)}
          onDone={async (rotated) => {
            setMade(rotated)
            await refresh()
          }}
          onClose={close}
        >
          {t(
            'Deliveries have the signatures of both secrets for 24 hours. Give your server the new one before they end: later it refuses every delivery.',
          )}
        </Confirm>
      )}
      {open === 'secret' && (
        <Confirm
          title={t('Show the secret?')}
          verb={t('Show')}
          isDanger={false}
          act={() => client.webhooks.secret.get(id)}
          onDone={({ secret }) => setShown(secret)}
          onClose={close}
        >
          {t('Whoever sees it can send your server what looks like it came from here.')}
        </Confirm>
      )}
      {shown !== undefined && (
        <NewSecret
          title={t('The secret of the webhook')}
          secret={shown}
          onClose={() => setShown(undefined)}
        />
      )}
      {made && (
        <NewSecret
          title={t('The secret is replaced')}
          secret={made.secret}
          onClose={() => setMade(undefined)}
        />
      )}
    </>
  )
}

interface RecoverProps {
  readonly id: string
  readonly onDone: () => unknown
  readonly onClose: () => void
}

const timeIn = (form: FormData, name: string): string | undefined => {
  const typed = String(form.get(name) ?? '')
  return typed === '' ? undefined : new Date(typed).toISOString()
}

/** Sends what a webhook has missed in a time. */
function Recover({ id, onDone, onClose }: RecoverProps) {
  const { client } = useProject()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (form: FormData) =>
      client.webhooks.recover(id, { since: timeIn(form, 'since') ?? '', until: timeIn(form, 'until') }),
    onSuccess: async () => {
      await onDone()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('Send missed events?')}
      verb={t('Send')}
      isPending={isPending}
      error={error}
      fields={['since', 'until']}
      onSubmit={(form) => mutate(form)}
      onClose={onClose}
    >
      <p>
        {t(
          'Events of this time that were never sent, that failed, or that wait are sent now. What was delivered is not sent again.',
        )}
      </p>
      <TextField
        label={t('Since')}
        name="since"
        type="datetime-local"
        description={t('At most 30 days ago')}
        isRequired
        autoFocus
        error={faultOf(error, 'since')}
      />
      <TextField
        label={t('Until')}
        name="until"
        type="datetime-local"
        description={t('Empty: until now')}
        error={faultOf(error, 'until')}
      />
    </FormDialog>
  )
}
