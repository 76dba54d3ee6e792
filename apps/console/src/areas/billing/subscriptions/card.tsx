import { useProject } from '../../../data/list-query.ts'
import { t } from '../../../data/words.ts'
import { FormDialog } from '../../../ui/form-dialog/form-dialog.tsx'
import { BrowserSecret } from '../../../ui/payments/browser-secret.tsx'
import { useBillingAct } from '../queries.ts'
import type { ActProps } from './dialogs.tsx'

/** Begins to replace the card of a subscription, which its member enters in a browser. */
export function ReplaceCard({ subscription, onClose }: ActProps) {
  const { client } = useProject()
  const begin = useBillingAct(
    () => client.subscriptions.paymentMethod.set(subscription.id),
    () => undefined,
  )
  if (begin.data !== undefined)
    return (
      <BrowserSecret
        title={t('The card waits for the member')}
        secret={begin.data.client_secret}
        publishableKey={begin.data.publishable_key}
        onClose={onClose}
      >
        <p>
          {t(
            'The script of the provider needs this in the browser of the member, who enters the card there. The present card is charged until then.',
          )}
        </p>
      </BrowserSecret>
    )
  return (
    <FormDialog
      title={t('Replace the card?')}
      verb={t('Begin')}
      isPending={begin.isPending}
      error={begin.error}
      onSubmit={() => begin.mutate({})}
      onClose={onClose}
    >
      <ul>
        <li>{t('The member enters the new card in a browser. You never see its number.')}</li>
        <li>{t('From then on the new card is charged, and bills that are overdue are charged at once.')}</li>
      </ul>
    </FormDialog>
  )
}
