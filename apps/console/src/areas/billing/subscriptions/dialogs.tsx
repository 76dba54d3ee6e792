import type { Subscription } from '@guildhall/sdk'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { faultOf } from '../../../data/faults.ts'
import { useProject } from '../../../data/list-query.ts'
import { t } from '../../../data/words.ts'
import { FormDialog } from '../../../ui/form-dialog/form-dialog.tsx'
import { formatMoney } from '../../../ui/money/format-money.ts'
import { Select } from '../../../ui/select/select.tsx'
import { formatTime } from '../../../ui/time/format-time.ts'
import { useBillingAct, useBillsOf } from '../queries.ts'
import styles from './dialogs.module.css'

export interface ActProps {
  readonly subscription: Subscription
  readonly onClose: () => void
}

const DAY_MS = 86_400_000

/** Ends a subscription, with what that means first. */
export function CancelSubscription({ subscription, onClose }: ActProps) {
  const { client } = useProject()
  const { status, cancel_at_period_end: isEnding, period_end: end } = subscription
  // What is not running, or ends already, can only end at once.
  const isNowOnly = isEnding || status === 'incomplete' || status === 'paused'
  const [at, setAt] = useState<'now' | 'period_end'>(isNowOnly ? 'now' : 'period_end')
  const act = useBillingAct(() => client.subscriptions.cancel(subscription.id, { at }), onClose)
  return (
    <FormDialog
      title={t('Cancel the subscription?')}
      verb={at === 'now' ? t('End it now') : t('End it with the period')}
      isDanger
      isPending={act.isPending}
      error={act.error}
      fields={['at']}
      onSubmit={() => act.mutate({})}
      onClose={onClose}
    >
      <Select
        label={t('When')}
        isLabelShown
        options={[
          ...(isNowOnly ? [] : [{ id: 'period_end', name: t('At the end of the period') }]),
          { id: 'now', name: t('At once') },
        ]}
        value={at}
        onChange={(id) => setAt(id as 'now' | 'period_end')}
        error={faultOf(act.error, 'at')}
      />
      {at === 'period_end' ? (
        <ul aria-live="polite">
          <li>{t('The member keeps access until {date}.', { date: formatTime(end) })}</li>
          <li>{t('No further bill is made, and nothing is refunded.')}</li>
          <li>{t('Until then it can be resumed.')}</li>
        </ul>
      ) : (
        <EndsNow subscription={subscription} />
      )}
    </FormDialog>
  )
}

/** What is lost where a subscription ends at once: the API gives no credit for the rest of a period. */
function EndsNow({ subscription }: { readonly subscription: Subscription }) {
  const { project = '', side = '' } = useParams({ strict: false })
  const { data: bills } = useBillsOf(subscription.id)
  const days = Math.floor((Date.parse(subscription.period_end) - Date.now()) / DAY_MS)
  const open = bills?.filter((bill) => bill.status === 'open') ?? []
  const last = bills?.find((bill) => bill.status === 'paid' && bill.total > bill.amount_refunded)
  return (
    <ul aria-live="polite">
      <li>{t('The member loses access now. This cannot be undone.')}</li>
      {days > 0 && subscription.status !== 'incomplete' && (
        <li>{t('The remaining {days} {days:day is|days are} neither refunded nor credited.', { days })}</li>
      )}
      {open.map(({ id, number, total, currency }) => (
        <li key={id}>
          {t('Bill {number} over {amount} is voided, or reduced to the time that was used.', {
            number,
            amount: formatMoney(total, currency),
          })}
        </li>
      ))}
      {last && (
        <li>
          {t('To give money back, refund the last bill:')}{' '}
          <Link to="/$project/$side/bills/$id" params={{ project, side, id: last.id }}>
            {t('Bill {number}', { number: last.number })}
          </Link>
          {', '}
          {formatMoney(last.total, last.currency)}
        </li>
      )}
    </ul>
  )
}

/** Stops bills and access for a while. */
export function PauseSubscription({ subscription, onClose }: ActProps) {
  const { client } = useProject()
  const [until, setUntil] = useState('')
  const act = useBillingAct(
    () =>
      client.subscriptions.pause(
        subscription.id,
        until === '' ? {} : { resume_at: new Date(until).toISOString() },
      ),
    onClose,
  )
  const fault = faultOf(act.error, 'resume_at')
  return (
    <FormDialog
      title={t('Pause the subscription?')}
      verb={t('Pause')}
      isPending={act.isPending}
      error={act.error}
      fields={['resume_at']}
      onSubmit={() => act.mutate({})}
      onClose={onClose}
    >
      <ul>
        <li>{t('The member has no access while it is paused, and no bill is made.')}</li>
        <li>{t('The length of the pause is added to the period.')}</li>
      </ul>
      <label className={styles.field}>
        <span>{t('Resumes by itself (optional)')}</span>
        <input
          type="datetime-local"
          name="resume_at"
          value={until}
          onChange={({ target }) => setUntil(target.value)}
          {...(fault !== undefined && { 'aria-invalid': true, 'aria-describedby': 'resume-fault' })}
        />
        {fault !== undefined && (
          <span id="resume-fault" role="alert" className={styles.fault}>
            {fault}
          </span>
        )}
      </label>
    </FormDialog>
  )
}

/** Ends a pause, or takes a cancellation back. */
export function ResumeSubscription({ subscription, onClose }: ActProps) {
  const { client } = useProject()
  const act = useBillingAct(() => client.subscriptions.resume(subscription.id), onClose)
  return (
    <FormDialog
      title={t('Resume the subscription?')}
      verb={t('Resume')}
      isPending={act.isPending}
      error={act.error}
      onSubmit={() => act.mutate({})}
      onClose={onClose}
    >
      <p>
        {subscription.status === 'paused'
          ? t('The member has access again, and the length of the pause is added to the period.')
          : t('It is renewed on {date} again, for {amount}.', {
              date: formatTime(subscription.period_end),
              amount: formatMoney(subscription.price, subscription.currency),
            })}
      </p>
    </FormDialog>
  )
}
