import type { Payment } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Button } from '../button/button.tsx'
import { Dialog } from '../dialog/dialog.tsx'
import { FormDialog } from '../form-dialog/form-dialog.tsx'
import { BrowserSecret } from './browser-secret.tsx'

interface Props {
  /** What is to be paid, with its currency. */
  readonly amount: string
  /** @returns null where nothing is to be paid */
  readonly start: () => PromiseLike<Payment | null>
  readonly onClose: () => void
}

/** Starts the payment of a bill or an order for its payer, or takes up the one that is under way. */
export function StartPayment({ amount, start, onClose }: Props) {
  const { project, side } = useProject()
  const queries = useQueryClient()
  const begin = useMutation({
    mutationFn: async () => start(),
    onSuccess: () => queries.invalidateQueries({ queryKey: [project, side] }),
  })
  if (begin.data !== undefined) return <Started payment={begin.data} onClose={onClose} />
  return (
    <FormDialog
      title={t('Start a payment?')}
      verb={t('Start the payment')}
      isPending={begin.isPending}
      error={begin.error}
      onSubmit={() => begin.mutate()}
      onClose={onClose}
    >
      <p>{t('A payment of {amount} is started, or the one that is under way is taken up.', { amount })}</p>
      <p>{t('Nothing is charged before the payer enters or confirms a card.')}</p>
    </FormDialog>
  )
}

interface StartedProps {
  readonly payment: Payment | null
  readonly onClose: () => void
}

function Started({ payment, onClose }: StartedProps) {
  if (payment?.client_secret !== undefined)
    return (
      <BrowserSecret
        title={t('The payment waits for the payer')}
        secret={payment.client_secret}
        publishableKey={payment.publishable_key}
        onClose={onClose}
      >
        <p>
          {t(
            'The script of the provider needs this in the browser of the payer, who enters or confirms a card there. The secret is for this payment alone.',
          )}
        </p>
      </BrowserSecret>
    )
  return (
    <Dialog title={t('The payment')} isOpen onClose={onClose}>
      <p>{outcomeOf(payment)}</p>
      <div>
        <Button kind="primary" onPress={onClose}>
          {t('Close')}
        </Button>
      </div>
    </Dialog>
  )
}

/** How a payment stands for which no browser is needed. */
function outcomeOf(payment: Payment | null): ReactNode {
  if (payment === null) return t('There is nothing to pay.')
  const { status, failure } = payment
  if (status === 'pending')
    return t('It is not decided yet. Money that is taken by hand is marked as paid when it has arrived.')
  if (status === 'succeeded') return t('It is paid.')
  return failure === null ? t('It failed.') : t('It failed: {failure}', { failure })
}
