import type { Order } from '@guildhall/sdk'
import { useState } from 'react'
import { useRights } from '../../../data/role.ts'
import { t } from '../../../data/words.ts'
import { Button } from '../../../ui/button/button.tsx'
import { CancelOrder, CompleteOrder, FulfillOrder, MarkOrderPaid, PayOrder } from './dialogs.tsx'
import { RefundOrder } from './refund.tsx'
import { leftOf } from './refund-amount.ts'

const DIALOGS = {
  paid: MarkOrderPaid,
  fulfilled: FulfillOrder,
  completed: CompleteOrder,
  canceled: CancelOrder,
  refunded: RefundOrder,
  pay: PayOrder,
}
type Target = keyof typeof DIALOGS

/** What can be done with an order, as the API says. */
export function OrderActs({ order }: { readonly order: Order }) {
  const { canChange } = useRights()
  const [open, setOpen] = useState<Target>()
  if (!canChange) return null
  const names: readonly (readonly [Target, string])[] = [
    ['paid', t('Mark as paid')],
    ['fulfilled', t('Mark as sent')],
    ['completed', t('Complete')],
    ['canceled', t('Cancel the order')],
  ]
  const possible = names.filter(([target]) => order.allowed_transitions.includes(target))
  const Open = open && DIALOGS[open]
  return (
    <>
      {possible.map(([target, name], i) => (
        <Button key={target} kind={i === 0 ? 'primary' : 'plain'} onPress={() => setOpen(target)}>
          {name}
        </Button>
      ))}
      {order.status === 'pending_payment' && (
        <Button onPress={() => setOpen('pay')}>{t('Start a payment')}</Button>
      )}
      {leftOf(order) > 0 && <Button onPress={() => setOpen('refunded')}>{t('Refund')}</Button>}
      {Open && <Open order={order} onClose={() => setOpen(undefined)} />}
    </>
  )
}
