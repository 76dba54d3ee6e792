import type { NewOrderRefund, Order } from '@guildhall/sdk'
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
import { useShopAct } from '../queries.ts'
import type { ActProps } from './dialogs.tsx'
import styles from './refund.module.css'
import { amountOf, leftOf } from './refund-amount.ts'

type Pieces = Readonly<Record<string, number>>
const freeOf = ({ quantity, refunded_quantity }: Order['lines'][number]) => quantity - refunded_quantity
const allOf = ({ lines }: Order): Pieces => Object.fromEntries(lines.map((line) => [line.id, freeOf(line)]))

/**
 * Pays money of an order back: the pieces decide the amount, which can be changed. Exactly the amount that is shown is sent.
 */
export function RefundOrder({ order, onClose }: ActProps) {
  const { client } = useProject()
  const keyOf = useActKey()
  const [pieces, setPieces] = useState<Pieces>(() => allOf(order))
  const [typed, setTyped] = useState<string>()
  const [isRestocked, setRestocked] = useState(false)
  const act = useShopAct(
    (input: NewOrderRefund) => client.shop.orders.refund(order.id, input, { idempotencyKey: keyOf(input) }),
    onClose,
  )
  const text = typed ?? typedAmount(amountOf(order, pieces), order.currency)
  const amount = readAmount(text)
  const lines = order.lines.flatMap(({ id }) => (pieces[id] ? [{ id, quantity: pieces[id] }] : []))
  const shown = amount === undefined ? '…' : formatMoney(amount, order.currency)
  return (
    <FormDialog
      title={t('Refund order {number}', { number: order.number })}
      verb={t('Refund {amount}', { amount: shown })}
      isDanger
      isPending={act.isPending}
      error={act.error}
      fields={['amount', 'reason']}
      onSubmit={(form) => {
        const reason = String(form.get('reason') ?? '').trim()
        if (amount !== undefined)
          act.mutate({
            amount,
            ...(lines.length > 0 && { lines, restock: isRestocked }),
            ...(reason !== '' && { reason }),
          })
      }}
      onClose={onClose}
    >
      <p>
        {t('{left} of {paid} can still be refunded.', {
          left: formatMoney(leftOf(order), order.currency),
          paid: formatMoney(order.paid_amount, order.currency),
        })}
      </p>
      {order.lines.map((line) => (
        <PiecesOf
          key={line.id}
          line={line}
          chosen={pieces[line.id] ?? 0}
          onChange={(count) => {
            setPieces({ ...pieces, [line.id]: count })
            setTyped(undefined)
          }}
        />
      ))}
      <TextField
        label={t('Amount in {currency}', { currency: order.currency.toUpperCase() })}
        name="amount"
        value={text}
        onChange={setTyped}
        isRequired
        error={amount === undefined ? t('Type an amount above zero') : faultOf(act.error, 'amount')}
      />
      {lines.length > 0 && (
        <label className={styles.choice}>
          <input
            type="checkbox"
            checked={isRestocked}
            onChange={({ target }) => setRestocked(target.checked)}
          />
          {t('The pieces can be sold again')}
        </label>
      )}
      <TextField label={t('Reason')} name="reason" error={faultOf(act.error, 'reason')} />
      <Effect order={order} pieces={pieces} amount={amount} isRestocked={isRestocked} />
    </FormDialog>
  )
}

interface PiecesProps {
  readonly line: Order['lines'][number]
  readonly chosen: number
  readonly onChange: (count: number) => void
}

function PiecesOf({ line, chosen, onChange }: PiecesProps) {
  const most = freeOf(line)
  if (most === 0) return null
  const name = [line.name, line.variant_name].filter(Boolean).join(', ')
  // A long list of numbers is of no use: such an order is refunded by an amount.
  const counts = Array.from({ length: Math.min(most, 100) + 1 }, (_, i) => i)
  if (!counts.includes(chosen)) counts.push(chosen)
  return (
    <Select
      label={t('Pieces of {name}', { name })}
      isLabelShown
      options={counts.map((count) => ({ id: String(count), name: t('{count} of {most}', { count, most }) }))}
      value={String(chosen)}
      onChange={(count) => onChange(Number(count))}
    />
  )
}

interface EffectProps {
  readonly order: Order
  readonly pieces: Pieces
  readonly amount: number | undefined
  readonly isRestocked: boolean
}

/** What happens, in sentences. */
function Effect({ order, pieces, amount, isRestocked }: EffectProps) {
  const chosen = order.lines.filter(({ id }) => pieces[id])
  const isWhole = amount === leftOf(order)
  const ends = order.lines.filter(
    (line) => line.grants !== null && freeOf(line) > 0 && (isWhole || pieces[line.id] === freeOf(line)),
  )
  const count = chosen.reduce((sum, { id }) => sum + (pieces[id] ?? 0), 0)
  return (
    <ul aria-live="polite">
      <li>
        {order.payment === null
          ? t('The order was paid by hand: pay the money back yourself. It is noted here.')
          : t('The money goes back to the card or account that paid.')}
      </li>
      {isRestocked && count > 0 && (
        <li>{t('{count} {count:piece goes|pieces go} back into the stock', { count })}</li>
      )}
      {ends.length > 0 && (
        <li>
          {t('The buyer loses what these open: {names}', { names: ends.map(({ name }) => name).join(', ') })}
        </li>
      )}
      {isWhole && <li>{t('Everything is refunded: the order is closed.')}</li>}
      <li>{t('The buyer gets a mail. This cannot be undone.')}</li>
    </ul>
  )
}
