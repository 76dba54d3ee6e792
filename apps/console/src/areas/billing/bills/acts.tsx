import type { Bill } from '@guildhall/sdk'
import { useState } from 'react'
import { useProject } from '../../../data/list-query.ts'
import { useRights } from '../../../data/role.ts'
import { t } from '../../../data/words.ts'
import { Button } from '../../../ui/button/button.tsx'
import { FormDialog } from '../../../ui/form-dialog/form-dialog.tsx'
import { formatMoney } from '../../../ui/money/format-money.ts'
import { StartPayment } from '../../../ui/payments/start-payment.tsx'
import { useBillingAct } from '../queries.ts'
import type { ActProps } from './act-props.ts'
import { RefundBill } from './refund.tsx'
import { leftOf } from './refund-amount.ts'

const DIALOGS = { pay: PayBill, paid: MarkBillPaid, void: VoidBill, refund: RefundBill }
type Act = keyof typeof DIALOGS

/** What can be done with a bill in its state. */
export function BillActs({ bill }: { readonly bill: Bill }) {
  const { canChange } = useRights()
  const [open, setOpen] = useState<Act>()
  if (!canChange) return null
  const isOpen = bill.status === 'open'
  const isOwed = isOpen || bill.status === 'uncollectible'
  const acts: readonly (readonly [Act, string, boolean])[] = [
    ['pay', t('Start a payment'), isOwed],
    ['paid', t('Mark as paid'), isOwed],
    ['void', t('Void the bill'), isOpen],
    ['refund', t('Refund'), bill.status === 'paid' && leftOf(bill) > 0],
  ]
  const Open = open && DIALOGS[open]
  return (
    <>
      {acts.map(
        ([act, name, isPossible]) =>
          isPossible && (
            <Button key={act} onPress={() => setOpen(act)}>
              {name}
            </Button>
          ),
      )}
      {Open && <Open bill={bill} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function PayBill({ bill, onClose }: ActProps) {
  const { client } = useProject()
  return (
    <StartPayment
      amount={formatMoney(bill.total, bill.currency)}
      start={() => client.bills.pay(bill.id)}
      onClose={onClose}
    />
  )
}

function MarkBillPaid({ bill, onClose }: ActProps) {
  const { client } = useProject()
  const act = useBillingAct(() => client.bills.markPaid(bill.id), onClose)
  return (
    <FormDialog
      title={t('Mark as paid?')}
      verb={t('Mark as paid')}
      isPending={act.isPending}
      error={act.error}
      onSubmit={() => act.mutate({})}
      onClose={onClose}
    >
      <p>
        {t('The bill counts as paid with {amount}, and its subscription goes on.', {
          amount: formatMoney(bill.total, bill.currency),
        })}
      </p>
      <p>{t('A payment that is under way with a provider is canceled.')}</p>
    </FormDialog>
  )
}

function VoidBill({ bill, onClose }: ActProps) {
  const { client } = useProject()
  const act = useBillingAct(() => client.bills.void(bill.id), onClose)
  return (
    <FormDialog
      title={t('Void bill {number}?', { number: bill.number })}
      verb={t('Void the bill')}
      isDanger
      isPending={act.isPending}
      error={act.error}
      onSubmit={() => act.mutate({})}
      onClose={onClose}
    >
      <p>{t('Nobody has to pay {amount} any more.', { amount: formatMoney(bill.total, bill.currency) })}</p>
      <p>
        {bill.reason === 'first'
          ? t('It is the first bill: the subscription ends, and the member has no access by it.')
          : t('An overdue subscription is active again.')}
      </p>
      <p>{t('This cannot be undone.')}</p>
    </FormDialog>
  )
}
