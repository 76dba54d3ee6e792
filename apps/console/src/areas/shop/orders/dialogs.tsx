import type { Order } from '@guildhall/sdk'
import type { ReactNode } from 'react'
import { faultOf } from '../../../data/faults.ts'
import { useProject } from '../../../data/list-query.ts'
import { t } from '../../../data/words.ts'
import { FormDialog } from '../../../ui/form-dialog/form-dialog.tsx'
import { formatMoney } from '../../../ui/money/format-money.ts'
import { StartPayment } from '../../../ui/payments/start-payment.tsx'
import { TextField } from '../../../ui/text-field/text-field.tsx'
import { useShopAct } from '../queries.ts'

export interface ActProps {
  readonly order: Order
  readonly onClose: () => void
}

const piecesOf = ({ lines }: Order): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)
const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim()

/** The buyer pays in a browser. */
export function PayOrder({ order, onClose }: ActProps) {
  const { client } = useProject()
  return (
    <StartPayment
      amount={formatMoney(order.total, order.currency)}
      start={async () => (await client.shop.orders.pay(order.id)).payment}
      onClose={onClose}
    />
  )
}

/** Money came by hand. */
export function MarkOrderPaid({ order, onClose }: ActProps) {
  const { client } = useProject()
  const act = useShopAct(() => client.shop.orders.markPaid(order.id), onClose)
  return (
    <Ask
      act={act}
      title={t('Mark as paid?')}
      verb={t('Mark as paid')}
      onClose={onClose}
      run={() => act.mutate({})}
    >
      <p>
        {t(
          'The order counts as paid with {amount}. The buyer gets a receipt by mail, and what the items open.',
          {
            amount: formatMoney(order.total, order.currency),
          },
        )}
      </p>
      {order.status === 'canceled' && (
        <p>
          {t(
            'Its stock is reserved again. Where there is not enough, the order stays canceled and is refunded.',
          )}
        </p>
      )}
    </Ask>
  )
}

/** It was sent or handed over. */
export function FulfillOrder({ order, onClose }: ActProps) {
  const { client } = useProject()
  const act = useShopAct(
    (shipment: { tracking_number?: string; tracking_url?: string }) =>
      client.shop.orders.fulfill(order.id, shipment),
    onClose,
  )
  const fields = ['tracking_number', 'tracking_url'] as const
  const run = (form: FormData) => {
    const sent = fields.flatMap((name) => (textOf(form, name) === '' ? [] : [[name, textOf(form, name)]]))
    act.mutate(Object.fromEntries(sent))
  }
  return (
    <Ask
      act={act}
      title={t('Mark as sent?')}
      verb={t('Mark as sent')}
      fields={fields}
      onClose={onClose}
      run={run}
    >
      <p>{t('The buyer of {count} {count:piece|pieces} gets a mail.', { count: piecesOf(order) })}</p>
      <TextField
        label={t('Number of the parcel')}
        name="tracking_number"
        autoFocus
        error={faultOf(act.error, 'tracking_number')}
      />
      <TextField
        label={t('Address that follows the parcel')}
        name="tracking_url"
        description={t('It begins with https://')}
        error={faultOf(act.error, 'tracking_url')}
      />
    </Ask>
  )
}

export function CompleteOrder({ order, onClose }: ActProps) {
  const { client } = useProject()
  const act = useShopAct(() => client.shop.orders.complete(order.id), onClose)
  return (
    <Ask
      act={act}
      title={t('Complete the order?')}
      verb={t('Complete')}
      onClose={onClose}
      run={() => act.mutate({})}
    >
      <p>{t('Nothing more is to be done with it. It can still be refunded.')}</p>
    </Ask>
  )
}

/** Says what goes back into the stock before it does. */
export function CancelOrder({ order, onClose }: ActProps) {
  const { client } = useProject()
  const act = useShopAct(
    (reason: string) => client.shop.orders.cancel(order.id, reason === '' ? {} : { reason }),
    onClose,
  )
  return (
    <Ask
      act={act}
      title={t('Cancel the order?')}
      verb={t('Cancel the order')}
      isDanger
      fields={['reason']}
      onClose={onClose}
      run={(form) => act.mutate(textOf(form, 'reason'))}
    >
      <ul>
        {order.lines.map(({ id, quantity, name, variant_name }) => (
          <li key={id}>
            {t('{count} × {name} can be sold again', {
              count: quantity,
              name: [name, variant_name].filter(Boolean).join(', '),
            })}
          </li>
        ))}
        {order.discount_code !== null && (
          <li>{t('The use of the discount {code} is given back', { code: order.discount_code })}</li>
        )}
        {order.status !== 'pending_payment' && <li>{t('The buyer loses what the items have opened')}</li>}
      </ul>
      <p>{t('This cannot be undone.')}</p>
      <TextField label={t('Reason')} name="reason" error={faultOf(act.error, 'reason')} />
    </Ask>
  )
}

interface AskProps {
  readonly act: { readonly isPending: boolean; readonly error: Error | null }
  readonly title: string
  readonly verb: string
  readonly isDanger?: boolean
  readonly fields?: readonly string[]
  readonly run: (form: FormData) => void
  readonly onClose: () => void
  readonly children: ReactNode
}

const Ask = ({ act, run, ...props }: AskProps) => (
  <FormDialog {...props} isPending={act.isPending} error={act.error} onSubmit={run} />
)
