import type { ChangePreview, PreviewWhen } from '@guildhall/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useActKey } from '../../../data/act-key.ts'
import { faultOf } from '../../../data/faults.ts'
import { useProject } from '../../../data/list-query.ts'
import { usePlanChoices } from '../../../data/plan-names.ts'
import { t } from '../../../data/words.ts'
import { FormDialog } from '../../../ui/form-dialog/form-dialog.tsx'
import { formatMoney } from '../../../ui/money/format-money.ts'
import { priceOf } from '../../../ui/price/price.tsx'
import { Select } from '../../../ui/select/select.tsx'
import { formatTime } from '../../../ui/time/format-time.ts'
import { BillLines } from '../bill-lines.tsx'
import { useBillingAct } from '../queries.ts'
import type { ActProps } from './dialogs.tsx'

const AS_USUAL = 'usual'

/** Changes the plan: first what it costs, to the cent, then exactly that. */
export function ChangePlan({ subscription, onClose }: ActProps) {
  const { client } = useProject()
  const keyOf = useActKey()
  const { plans } = usePlanChoices()
  const choices = plans.filter(
    ({ id, status, interval }) =>
      id !== subscription.plan_id && status === 'active' && (interval === 'month' || interval === 'year'),
  )
  const [chosen, setChosen] = useState<string>()
  const [when, setWhen] = useState<PreviewWhen | typeof AS_USUAL>(AS_USUAL)
  const plan = chosen ?? choices[0]?.id ?? ''
  const preview = useMutation({
    mutationFn: () =>
      client.subscriptions.previewChange(subscription.id, {
        plan_id: plan,
        ...(when !== AS_USUAL && { when }),
      }),
  })
  const change = useBillingAct((shown: ChangePreview) => {
    const body = { plan_id: shown.plan_id, preview_id: shown.preview_id, when: shown.when as PreviewWhen }
    return client.subscriptions.change(subscription.id, body, { idempotencyKey: keyOf(body) })
  }, onClose)
  const shown = preview.data
  const restart = () => {
    preview.reset()
    change.reset()
  }
  const isLate = (change.error as { code?: string } | null)?.code === 'PREVIEW_EXPIRED'
  return (
    <FormDialog
      title={t('Change the plan')}
      verb={
        shown === undefined || isLate
          ? t('Show the price')
          : t('Change for {amount}', { amount: formatMoney(shown.amount, shown.currency) })
      }
      isPending={preview.isPending || change.isPending}
      error={change.error ?? preview.error}
      fields={['plan_id', 'when']}
      onSubmit={() => {
        if (shown !== undefined && !isLate) return change.mutate(shown)
        change.reset()
        preview.mutate()
      }}
      onClose={onClose}
    >
      <Select
        label={t('New plan')}
        isLabelShown
        options={choices.map((each) => ({ id: each.id, name: `${each.name} · ${priceOf(each)}` }))}
        value={plan}
        onChange={(id) => {
          setChosen(id)
          restart()
        }}
        error={faultOf(preview.error, 'plan_id')}
      />
      <Select
        label={t('When')}
        isLabelShown
        options={[
          { id: AS_USUAL, name: t('A higher rank now, everything else at the end of the period') },
          { id: 'now', name: t('At once') },
          { id: 'period_end', name: t('At the end of the period') },
        ]}
        value={when}
        onChange={(id) => {
          setWhen(id as PreviewWhen)
          restart()
        }}
        error={faultOf(preview.error, 'when')}
      />
      {shown !== undefined && <Preview of={shown} />}
    </FormDialog>
  )
}

/** What a change costs, when it takes effect, and what comes after it. */
function Preview({ of }: { readonly of: ChangePreview }) {
  const { date, takes_effect: effect, next_bill: next } = of
  return (
    <div aria-live="polite">
      <p>
        {effect === 'when_paid'
          ? t('It takes effect when the bill is paid.')
          : effect === 'now'
            ? t('It takes effect at once.')
            : t('It takes effect on {date}.', { date: formatTime(date) })}
      </p>
      {of.lines.length > 0 && (
        <BillLines label={t('What it costs')} lines={of.lines} currency={of.currency} total={of.amount} />
      )}
      {of.lines.length === 0 && <p>{t('Nothing is charged now.')}</p>}
      <p>
        {next === null
          ? t('No bill follows.')
          : t('The next bill, on {date}, is {amount}.', {
              date: formatTime(next.date),
              amount: formatMoney(next.total, next.currency),
            })}
      </p>
      <p>{t('This price holds until {time}.', { time: formatTime(of.expires_at) })}</p>
    </div>
  )
}
