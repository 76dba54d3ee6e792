import type { NewPaymentAccount, PaymentAccount } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'

type Provider = 'stripe' | 'manual'

interface Props {
  readonly onClose: () => void
  readonly onDone: (made: PaymentAccount) => void
}

/** Adds an account by which payments are taken. The secret key is tried at once, sealed, and never shown again. */
export function NewAccount({ onClose, onDone }: Props) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const [provider, setProvider] = useState<Provider>('stripe')
  const { mutate, isPending, error } = useMutation({
    mutationFn: (body: NewPaymentAccount) => client.paymentAccounts.create(body),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: [project, side, 'payment-accounts'] })
      onDone(made)
    },
    // The key is kept nowhere once the dialog is gone.
    gcTime: 0,
  })
  const isStripe = provider === 'stripe'
  return (
    <FormDialog
      title={t('Add a payment account')}
      verb={t('Add')}
      isPending={isPending}
      error={error}
      fields={['name', 'provider', ...(isStripe ? ['secrets', 'publishable_key'] : ['settings'])]}
      onSubmit={(form) => mutate(bodyOf(provider, form))}
      onClose={onClose}
    >
      <Select
        label={t('Provider')}
        isLabelShown
        options={[
          { id: 'stripe', name: 'Stripe' },
          { id: 'manual', name: t('By hand') },
        ]}
        value={provider}
        onChange={(id) => setProvider(id as Provider)}
        error={faultOf(error, 'provider')}
      />
      <TextField label={t('Name')} name="name" isRequired error={faultOf(error, 'name')} />
      {isStripe ? (
        <>
          <TextField
            label={t('Secret key')}
            name="secret_key"
            type="password"
            autoComplete="off"
            description={
              side === 'test'
                ? t(
                    'A test key (sk_test_… or rk_test_…). It is tried now, stored sealed and never shown again.',
                  )
                : t(
                    'A live key (sk_live_… or rk_live_…). It is tried now, stored sealed and never shown again.',
                  )
            }
            error={faultOf(error, 'secrets')}
          />
          <TextField
            label={t('Publishable key')}
            name="publishable_key"
            description={t('Browsers need it to take a card.')}
            error={faultOf(error, 'publishable_key')}
          />
        </>
      ) : (
        <TextField
          label={t('How to pay')}
          name="instructions"
          description={t('Mails about due bills show it.')}
          error={faultOf(error, 'settings')}
        />
      )}
    </FormDialog>
  )
}

function bodyOf(provider: Provider, form: FormData): NewPaymentAccount {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const name = text('name')
  if (provider === 'manual') {
    const instructions = text('instructions')
    return { provider, name, ...(instructions !== '' && { settings: { instructions } }) }
  }
  const publishable_key = text('publishable_key')
  const secrets = { secret_key: text('secret_key') }
  return { provider, name, secrets, ...(publishable_key !== '' && { publishable_key }) }
}
