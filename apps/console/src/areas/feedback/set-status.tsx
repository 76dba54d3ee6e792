import type { FeedbackItem } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { t, wordOf } from '../../data/words.ts'
import { Checkbox } from '../../ui/checkbox/checkbox.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextArea } from '../../ui/text-area/text-area.tsx'
import { type SetStatus, STATUSES, useSetStatus } from './queries.ts'

interface Props {
  readonly item: FeedbackItem
  /** Where it was moved to; without it, the present status is offered. */
  readonly to?: SetStatus
  readonly onClose: () => void
}

/** Says where an item stands, and how many voters are told. */
export function SetItemStatus({ item, to, onClose }: Props) {
  const [status, setStatus] = useState<string>(to ?? item.status)
  const [isTold, setTold] = useState(true)
  const { mutate, isPending, error } = useSetStatus(item.id, onClose)
  const isSame = status === item.status
  const voters = item.vote_count
  return (
    <FormDialog
      title={
        to === undefined
          ? t('Set the status')
          : t('Move to “{status}”?', { status: t(to.replaceAll('_', ' ')) })
      }
      verb={to === undefined ? t('Save') : t('Move')}
      isPending={isPending}
      error={error}
      fields={['status', 'note']}
      onSubmit={(form) => {
        const note = String(form.get('note') ?? '').trim()
        mutate({
          status: status as SetStatus,
          ...(note !== '' && { note }),
          notify_voters: isTold && !isSame,
        })
      }}
      onClose={onClose}
    >
      {to === undefined && (
        <Select
          label={t('Status')}
          isLabelShown
          options={STATUSES.map((id) => ({ id, name: wordOf(id) }))}
          value={status}
          onChange={setStatus}
          error={faultOf(error, 'status')}
        />
      )}
      <TextArea
        label={t('Note')}
        name="note"
        rows={3}
        defaultValue={isSame ? (item.status_note ?? '') : ''}
        description={t('Shown with the status, in the mail and in the changelog')}
        autoFocus
        error={faultOf(error, 'note')}
      />
      {!isSame && (
        <>
          <Checkbox label={t('Tell the voters by mail')} isChosen={isTold} onChange={setTold} />
          <p role="status">
            {isTold && voters > 0
              ? t(
                  'Up to {count} {count:member gets|members get} a mail: those who voted and want such mails.',
                  {
                    count: voters,
                  },
                )
              : t('Nobody gets a mail.')}
          </p>
        </>
      )}
    </FormDialog>
  )
}
