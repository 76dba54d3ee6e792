import type { CreditBalance, NewCreditEntry } from '@guildhall/sdk'
import { useState } from 'react'
import { useActKey } from '../../data/act-key.ts'
import { faultOf } from '../../data/faults.ts'
import { usePlans } from '../../data/plan-names.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { fromMinor, readAmount, toMinor } from '../../ui/money/digits.ts'
import { formatMoney } from '../../ui/money/format-money.ts'
import { MoneyField } from '../../ui/money-field/money-field.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { useMemberAct } from './queries.ts'

interface Props {
  /** The id of the member. */
  readonly id: string
  readonly balances: readonly CreditBalance[]
  readonly onClose: () => void
}

/** Gives a member credit, or takes some. The balance after it is said before it happens. */
export function GiveCredit({ id, balances, onClose }: Props) {
  const { data: plans } = usePlans()
  const keyOf = useActKey()
  const currencies = [...new Set([...balances, ...(plans ?? [])].map(({ currency }) => currency))]
  const [chosen, setCurrency] = useState<string>()
  const [way, setWay] = useState('give')
  const [text, setText] = useState('')
  const currency = chosen ?? currencies[0] ?? 'eur'
  const before = balances.find((each) => each.currency === currency)?.amount ?? 0
  const typed = readAmount(text)
  const change = typed === undefined ? undefined : way === 'give' ? typed : -typed
  const act = useMemberAct<object, NewCreditEntry>(
    (client, input) => client.members.credit.create(id, input, { idempotencyKey: keyOf(input) }),
    onClose,
  )
  return (
    <FormDialog
      title={t('Give or take credit')}
      verb={way === 'give' ? t('Give credit') : t('Take credit')}
      isDanger={way === 'take'}
      isPending={act.isPending}
      error={act.error}
      fields={['amount', 'currency', 'reason']}
      onSubmit={(form) => {
        const reason = String(form.get('reason') ?? '').trim()
        if (change !== undefined) act.mutate({ amount: change, currency, reason })
      }}
      onClose={onClose}
    >
      <Select
        label={t('What happens')}
        isLabelShown
        options={[
          { id: 'give', name: t('Give credit') },
          { id: 'take', name: t('Take credit') },
        ]}
        value={way}
        onChange={setWay}
      />
      <Select
        label={t('Currency')}
        isLabelShown
        options={(currencies.length > 0 ? currencies : ['eur']).map((each) => ({
          id: each,
          name: each.toUpperCase(),
        }))}
        value={currency}
        onChange={setCurrency}
        error={faultOf(act.error, 'currency')}
      />
      <MoneyField
        label={t('Amount')}
        name="amount"
        value={text}
        onChange={setText}
        currency={currency}
        isRequired
        error={
          text !== '' && typed === undefined ? t('Type an amount above zero') : faultOf(act.error, 'amount')
        }
      />
      <TextField label={t('Reason')} name="reason" isRequired error={faultOf(act.error, 'reason')} />
      {change !== undefined && (
        <p role="status">
          {t('The balance is {before} now, and {after} after it.', {
            before: formatMoney(before, currency),
            after: formatMoney(
              fromMinor(toMinor(before, currency) + toMinor(change, currency), currency),
              currency,
            ),
          })}
        </p>
      )}
    </FormDialog>
  )
}
