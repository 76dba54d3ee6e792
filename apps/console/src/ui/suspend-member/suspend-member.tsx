import type { Suspension } from '@guildhall/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../form-dialog/form-dialog.tsx'
import { Select } from '../select/select.tsx'
import { TextArea } from '../text-area/text-area.tsx'

const DAY_MS = 86_400_000
const DAYS = ['1', '7', '30', '90'] as const
/** It ends when it did before. */
const SAME = 'same'

const endOf = (days: string): string | undefined =>
  days === '' ? undefined : new Date(Date.now() + Number(days) * DAY_MS).toISOString()

interface Props {
  /** The id of the member. */
  readonly id: string
  readonly name: string
  /** What is changed; else the member is suspended now. */
  readonly present?: Pick<Suspension, 'reason' | 'until'>
  readonly onDone?: () => void
  readonly onClose: () => void
}

/** Takes the right to write from a member, for a time or until somebody gives it back. */
export function SuspendMember({ id, name, present, onDone, onClose }: Props) {
  const { project, side, client } = useProject()
  const queries = useQueryClient()
  const [days, setDays] = useState<string>(present === undefined ? '7' : SAME)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (reason: string) => {
      const until = days === SAME ? present?.until : endOf(days)
      await client.members.suspend(id, { reason, ...(typeof until === 'string' && { until }) })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [project, side] })
      onClose()
      onDone?.()
    },
  })
  return (
    <FormDialog
      title={
        present === undefined
          ? t('Suspend {name}?', { name })
          : t('Change the suspension of {name}', { name })
      }
      verb={present === undefined ? t('Suspend') : t('Change')}
      isDanger
      isPending={isPending}
      error={error}
      fields={['reason', 'until']}
      onSubmit={(form) => mutate(String(form.get('reason')))}
      onClose={onClose}
    >
      <p>
        {t(
          'The member can read, and writes nothing that others see until it ends. A mail tells the member the reason. You can end it at any time.',
        )}
      </p>
      <TextArea
        label={t('Reason')}
        name="reason"
        {...(present !== undefined && { defaultValue: present.reason })}
        description={t('The member reads it')}
        rows={3}
        maxLength={500}
        isRequired
        autoFocus
        error={faultOf(error, 'reason')}
      />
      <Select
        label={t('For how long')}
        isLabelShown
        options={[
          ...(present === undefined ? [] : [{ id: SAME, name: t('As before') }]),
          ...DAYS.map((each) => ({
            id: each,
            name: t('{days} {days:day|days}', { days: Number(each) }),
          })),
          { id: '', name: t('Until somebody ends it') },
        ]}
        value={days}
        onChange={setDays}
        error={faultOf(error, 'until')}
      />
    </FormDialog>
  )
}
