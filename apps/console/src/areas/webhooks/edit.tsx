import type {
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointWithSecret,
} from '@guildhall/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import type { Read } from '../../data/read.ts'
import { t } from '../../data/words.ts'
import { webhooksCreate, webhooksUpdate } from '../../forms.generated/webhooks.ts'
import { Button } from '../../ui/button/button.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { SchemaFormDialog } from '../../ui/schema-form/schema-form.tsx'
import { useSchemaForm } from '../../ui/schema-form/use-schema-form.ts'
import { useWebhook } from './queries.ts'

const texts = () => ({
  labels: {
    url: t('Address'),
    payload: t('What is sent'),
    fifo: t('In the order of events'),
    rate_limit: t('Deliveries a second at the most'),
    headers: t('Headers of your own'),
    signing: t('Signature'),
  },
  descriptions: {
    url: t('An https address that can be reached from the internet'),
    events: t('Types such as “order.paid”, groups such as “form.*”, or “*” for all'),
    fifo: t('One after another: one that fails holds up the later ones'),
    rate_limit: t('Empty: without a limit'),
    headers: t('They are never shown again'),
  },
  controls: {
    url: 'text' as const,
    description: 'text' as const,
    payload: {
      options: [
        { id: 'full', name: t('The whole object') },
        { id: 'thin', name: t('Its id and kind alone') },
      ],
    },
    signing: {
      options: [
        { id: 'hmac', name: t('HMAC: both sides have the secret') },
        { id: 'ed25519', name: t('Ed25519: your server has a public key') },
      ],
    },
  },
})

/** Registers a webhook, and shows its signing secret. */
export function CreateWebhook({ onClose }: { readonly onClose: () => void }) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const [made, setMade] = useState<WebhookEndpointWithSecret>()
  const form = useSchemaForm<NewWebhookEndpoint, WebhookEndpointWithSecret>({
    operation: webhooksCreate,
    fields: ['url', 'events', 'description', 'payload', 'fifo', 'rate_limit', 'headers', 'signing'],
    initial: { events: ['*'], payload: 'full', signing: 'hmac' },
    send: (body) => client.webhooks.create(body),
    onDone: async (webhook) => {
      setMade(webhook)
      await queries.invalidateQueries({ queryKey: [project, side, 'webhooks'] })
    },
  })
  if (made !== undefined)
    return <NewSecret title={t('The webhook is made')} secret={made.secret} onClose={onClose} />
  return (
    <SchemaFormDialog
      form={form}
      title={t('Create a webhook')}
      verb={t('Create the webhook')}
      {...texts()}
      onClose={onClose}
    />
  )
}

interface SecretProps {
  readonly title: string
  readonly secret: string
  readonly onClose: () => void
}

/** The signing secret of a webhook. */
export function NewSecret({ title, secret, onClose }: SecretProps) {
  return (
    <Dialog title={title} isOpen>
      <p>{t('Your server checks with this secret that deliveries come from here.')}</p>
      <p>
        <code>{secret}</code> <CopyButton text={secret} />
      </p>
      <div>
        <Button kind="primary" onPress={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  )
}

interface EditProps {
  readonly read: Read<WebhookEndpoint>
  readonly onClose: () => void
}

/** Changes a webhook. Its headers are never shown, so they are replaced as a whole. */
export function EditWebhook({ read, onClose }: EditProps) {
  const { id } = read.value
  const { project, side, client } = useProject()
  const { readAgain } = useWebhook(id)
  const queries = useQueryClient()
  const form = useSchemaForm<WebhookEndpointChanges>({
    operation: webhooksUpdate,
    fields: ['url', 'events', 'description', 'payload', 'fifo', 'rate_limit'],
    read,
    readAgain,
    of: id,
    send: (body, options) => client.webhooks.update(id, body, options),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'webhooks'] })
      onClose()
    },
    onUnchanged: onClose,
  })
  return (
    <SchemaFormDialog
      form={form}
      title={t('Edit the webhook')}
      verb={t('Save')}
      {...texts()}
      onClose={onClose}
    />
  )
}
