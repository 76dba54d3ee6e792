import type { MemberWithPlan } from '@guildhall/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { useMemberAct } from './queries.ts'

type Mode = 'soft' | 'anonymize'

interface Props {
  readonly member: MemberWithPlan
  readonly onClose: () => void
}

/** What a deletion concerns. */
function useConcerned(id: string) {
  const { project, side, client } = useProject()
  return useQuery({
    queryKey: [project, side, 'members', id, 'concerned'],
    queryFn: async ({ signal }) => {
      const query = { member_id: id, limit: 1 }
      const [orders, active, late] = await Promise.all([
        client.orders.list(query, { signal }),
        client.subscriptions.list({ ...query, status: 'active' }, { signal }),
        client.subscriptions.list({ ...query, status: 'past_due' }, { signal }),
      ])
      return {
        orders: orders.pagination.total ?? 0,
        subscriptions: (active.pagination.total ?? 0) + (late.pagination.total ?? 0),
      }
    },
  })
}

/** Deletes a member, whose address must be typed. */
export function RemoveMember({ member: { id, email }, onClose }: Props) {
  const { project, side } = useProject()
  const navigate = useNavigate()
  const [mode, setMode] = useState<Mode>('soft')
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { data: concerned } = useConcerned(id)
  const { mutate, isPending, error } = useMemberAct(
    (client) => client.members.delete(id, { mode }),
    () => {
      onClose()
      return navigate({ to: '/$project/$side/members', params: { project, side } })
    },
  )
  return (
    <FormDialog
      title={t('Delete {email}?', { email })}
      verb={t('Delete')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => {
        setWrong(typed !== email)
        if (typed === email) mutate()
      }}
      onClose={onClose}
    >
      <Select
        label={t('How')}
        isLabelShown
        options={[
          { id: 'soft', name: t('Can be restored for 30 days') },
          { id: 'anonymize', name: t('Erase what is personal, for good') },
        ]}
        value={mode}
        onChange={(value) => setMode(value as Mode)}
      />
      <ul>
        <li>{t('The member is logged out everywhere, within a second.')}</li>
        {concerned !== undefined && (
          <>
            <li>{t('Subscriptions that end: {n}', { n: concerned.subscriptions })}</li>
            <li>{t('Orders that are kept: {n}', { n: concerned.orders })}</li>
          </>
        )}
        {mode === 'anonymize' && <li>{t('Posts stay, by a “Former member”. It cannot be undone.')}</li>}
      </ul>
      <TextField
        label={t('Type {email} to go on', { email })}
        name="typed"
        value={typed}
        onChange={setTyped}
        autoComplete="off"
        autoFocus
        error={isWrong && typed !== email ? t('This is not the address of the member') : undefined}
      />
    </FormDialog>
  )
}
