import type { NewBillRefund } from '@guildhall/sdk'
import { useState } from 'react'
import { useActKey } from '../../../data/act-key.ts'
import { faultOf } from '../../../data/faults.ts'
import { useProject } from '../../../data/list-query.ts'
import { t } from '../../../data/words.ts'
import { FormDialog } from '../../../ui/form-dialog/form-dialog.tsx'
import { readAmount, typedAmount } from '../../../ui/money/digits.ts'
import { formatMoney } from '../../../ui/money/format-money.ts'
import { Select } from '../../../ui/select/select.tsx'
import { TextField } from '../../../ui/text-field/text-field.tsx'
import { useBillingAct } from '../queries.ts'
import type { ActProps } from './act-props.ts'
import { leftOf, linesLeft } from './refund-amount.ts'

const ALL = 'all'

/** Gives back what was paid for a bill: exactly the amount that is shown. */
export function RefundBill({ bill, onClose }: ActProps) {
  const { client } = useProject()
  const keyOf = useActKey()
  const { currency } = bill
  // What was paid by hand has no card to go back to.
  const isByCard = bill.payments.some(
    ({ status, provider_reference: at }) => status === 'succeeded' && at !== null,
  )
  const [to, setTo] = useState<'payment' | 'credit'>(isByCard ? 'payment' : 'credit')
  const [line, setLine] = useState(ALL)
  const [typed, setTyped] = useState<string>()
  const act = useBillingAct(
    (input: NewBillRefund) => client.bills.refund(bill.id, input, { idempotencyKey: keyOf(input) }),
    onClose,
  )
  const left = linesLeft(bill)
  const most = line === ALL ? leftOf(bill) : Math.min(left.get(line) ?? 0, leftOf(bill))
  const text = typed ?? typedAmount(most, currency)
  const amount = readAmount(text)
  const shown = amount === undefined ? '…' : formatMoney(amount, currency)
  return (
    <FormDialog
      title={t('Refund bill {number}', { number: bill.number })}
      verb={t('Refund {amount}', { amount: shown })}
      isDanger
      isPending={act.isPending}
      error={act.error}
      fields={['amount', 'reason', 'to']}
      onSubmit={(form) => {
        const reason = String(form.get('reason') ?? '').trim()
        if (amount !== undefined)
          act.mutate({
            ...{ to, amount },
            ...(line !== ALL && { lines: [{ id: line, amount }] }),
            ...(reason !== '' && { reason }),
          })
      }}
      onClose={onClose}
    >
      <p>
        {t('{left} of {paid} can still be refunded.', {
          left: formatMoney(leftOf(bill), currency),
          paid: formatMoney(bill.total, currency),
        })}
      </p>
      <Select
        label={t('To')}
        isLabelShown
        options={[
          { id: 'payment', name: t('The payer') },
          { id: 'credit', name: t('Credit of the member, for the next bills') },
        ]}
        value={to}
        onChange={(id) => setTo(id as 'payment' | 'credit')}
        error={faultOf(act.error, 'to')}
      />
      <Select
        label={t('For')}
        isLabelShown
        options={[
          { id: ALL, name: t('All lines') },
          ...bill.lines.flatMap(({ id, description }) =>
            left.get(id)
              ? [{ id, name: `${description} · ${formatMoney(left.get(id) ?? 0, currency)}` }]
              : [],
          ),
        ]}
        value={line}
        onChange={(id) => {
          setLine(id)
          setTyped(undefined)
        }}
      />
      <TextField
        label={t('Amount in {currency}', { currency: currency.toUpperCase() })}
        name="amount"
        value={text}
        onChange={setTyped}
        isRequired
        error={amount === undefined ? t('Type an amount above zero') : faultOf(act.error, 'amount')}
      />
      <TextField label={t('Reason')} name="reason" error={faultOf(act.error, 'reason')} />
      <ul aria-live="polite">
        <li>
          {to === 'credit'
            ? t('The next bills of the member are reduced by it.')
            : isByCard
              ? t('The money goes back to the card or account that paid.')
              : t('The bill was paid by hand: pay the money back yourself. It is noted here.')}
        </li>
        <li>{t('The subscription goes on. Cancel it, if it shall end.')}</li>
        <li>{t('This cannot be undone.')}</li>
      </ul>
    </FormDialog>
  )
}
