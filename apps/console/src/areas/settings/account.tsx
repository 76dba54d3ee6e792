import type { PaymentAccount } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { useRead } from '../../data/read.ts'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { paymentAccountsUpdate } from '../../forms.generated/paymentAccounts.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { CopyButton } from '../../ui/copy-button/copy-button.tsx'
import { Fields } from '../../ui/fields/fields.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { Time } from '../../ui/time/time.tsx'
import { PartForm } from './part-form.tsx'
import { providerName } from './payments.tsx'

/** One account by which payments are taken. What is secret of it is never shown. */
export function AccountDetail() {
  const { id = '' } = useParams({ strict: false })
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { canChange } = useRights()
  const [open, setOpen] = useState<'remove' | 'secrets'>()
  const { data, error, refetch, readAgain } = useRead(['payment-accounts', id], (of, options) =>
    of.paymentAccounts.get(id, options),
  )
  if (data === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  const { value: account } = data
  return (
    <Page
      title={account.name}
      back={
        <Link to="/$project/$side/settings/payments" params={{ project, side }}>
          {t('Payments')}
        </Link>
      }
      actions={
        canChange && (
          <>
            {account.provider === 'stripe' && (
              <Button onPress={() => setOpen('secrets')}>{t('Replace the secrets')}</Button>
            )}
            <Button kind="danger" onPress={() => setOpen('remove')}>
              {t('Remove')}
            </Button>
          </>
        )
      }
    >
      <Section title={t('Payment account')}>
        <Fields
          fields={[
            [t('Id'), <code key="id">{account.id}</code>],
            [t('Provider'), providerName(account.provider)],
            [t('Side'), side === 'live' ? t('Live') : t('Test')],
            ...(account.provider === 'stripe' ? stripeFields(account) : []),
            [t('Created'), <Time key="created" at={account.created_at} />],
          ]}
        />
      </Section>
      <Section title={t('Edit')}>
        <PartForm
          operation={paymentAccountsUpdate}
          fields={[
            ...['name', 'is_default'],
            ...(account.provider === 'stripe' ? ['publishable_key'] : ['settings']),
          ]}
          of={id}
          read={data}
          readAgain={readAgain}
          send={(body, options) => client.paymentAccounts.update(id, body, options)}
          onDone={() => queries.invalidateQueries({ queryKey: [project, side, 'payment-accounts'] })}
          {...textsOf()}
        />
      </Section>
      {open === 'remove' && <RemoveAccount account={account} onClose={() => setOpen(undefined)} />}
      {open === 'secrets' && <ReplaceSecrets account={account} onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

const stripeFields = ({ webhook_url, has_secrets, has_webhook_secret }: PaymentAccount) =>
  [
    [t('Secret key'), <Badge key="key" state={has_secrets ? 'stored' : 'missing'} />],
    [t('Signing secret'), <Badge key="secret" state={has_webhook_secret ? 'stored' : 'missing'} />],
    [
      t('Webhook address'),
      <span key="url">
        <code>{webhook_url}</code> <CopyButton text={webhook_url} />
      </span>,
    ],
  ] as const

const textsOf = () => ({
  labels: {
    name: t('Name'),
    is_default: t('New subscriptions and orders are paid by it'),
    publishable_key: t('Publishable key'),
    settings: t('Payment by hand'),
    'settings.instructions': t('How to pay'),
    'settings.reserve_hours': t('Hours for which the stock of an unpaid order is kept'),
  },
  descriptions: {
    publishable_key: t('Browsers need it to take a card.'),
    'settings.instructions': t('Mails about due bills show it.'),
  },
})

/** What is secret goes in, and is never shown. What is left empty stays. */
function ReplaceSecrets({ account: { id }, onClose }: RemoveProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (secrets: Readonly<Record<string, string>>) => client.paymentAccounts.update(id, { secrets }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project, side, 'payment-accounts'] })
      onClose()
    },
    gcTime: 0,
  })
  const field = (name: string, label: string, description: string) => (
    <TextField
      label={label}
      name={name}
      type="password"
      autoComplete="off"
      description={description}
      error={faultOf(error, `secrets.${name}`)}
    />
  )
  return (
    <FormDialog
      title={t('Replace the secrets')}
      verb={t('Replace')}
      isPending={isPending}
      error={error}
      fields={['secrets.secret_key', 'secrets.webhook_secret']}
      onSubmit={(form) => {
        const given = ['secret_key', 'webhook_secret'].map((name) => [name, String(form.get(name))] as const)
        mutate(Object.fromEntries(given.filter(([, text]) => text !== '')))
      }}
      onClose={onClose}
    >
      <p>{t('What you leave empty stays as it is. Nothing of it is ever shown.')}</p>
      {field('secret_key', t('New secret key'), t('It is tried now.'))}
      {field(
        'webhook_secret',
        t('New signing secret'),
        t('Add a webhook with the webhook address at Stripe, and put its signing secret (whsec_…) here.'),
      )}
    </FormDialog>
  )
}

interface RemoveProps {
  readonly account: PaymentAccount
  readonly onClose: () => void
}

function RemoveAccount({ account: { id, name, is_default }, onClose }: RemoveProps) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (
    <Confirm
      title={t('Remove {name}?', { name })}
      verb={t('Remove')}
      act={() => client.paymentAccounts.delete(id)}
      onDone={async () => {
        await navigate({ to: '/$project/$side/settings/payments', params: { project, side } })
        await queries.invalidateQueries({ queryKey: [project, side, 'payment-accounts'] })
      }}
      onClose={onClose}
    >
      <p>
        {is_default
          ? t(
              'It is the default account: new subscriptions and orders cannot be paid until there is another one.',
            )
          : t('Nothing can be paid by it any more.')}
      </p>
    </Confirm>
  )
}
