import type { Invitation, NewInvitation } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { usePlans } from '../../data/plan-names.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { useInvitationAct } from './queries.ts'

const FIELDS = ['email', 'full_name', 'role', 'plan_id', 'expires_in_days'] as const
const DAYS = ['1', '3', '7', '14', '30']
const USUAL_DAYS = '7'

/** Invites somebody to be a member. */
export function InviteMember({ onClose }: { readonly onClose: () => void }) {
  const { data: plans } = usePlans()
  const [plan, setPlan] = useState('')
  const [days, setDays] = useState(USUAL_DAYS)
  const { mutate, isPending, error } = useInvitationAct(
    (client, body: NewInvitation) => client.invitations.create(body),
    onClose,
  )
  const send = (form: FormData) => {
    const [name, role] = [String(form.get('full_name')), String(form.get('role'))]
    mutate({
      email: String(form.get('email')),
      expires_in_days: Number(days),
      ...(name !== '' && { full_name: name }),
      ...(role !== '' && { role }),
      ...(plan !== '' && { plan_id: plan }),
    })
  }
  return (
    <FormDialog
      title={t('Invite a member')}
      verb={t('Send the invitation')}
      isPending={isPending}
      error={error}
      fields={FIELDS}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        label={t('Email address')}
        name="email"
        type="email"
        isRequired
        autoFocus
        error={faultOf(error, 'email')}
      />
      <TextField label={t('Name')} name="full_name" error={faultOf(error, 'full_name')} />
      <TextField
        label={t('Role')}
        name="role"
        description={t('“member”, “admin”, or a role of your own')}
        error={faultOf(error, 'role')}
      />
      <Select
        label={t('Plan')}
        isLabelShown
        options={[
          { id: '', name: t('Default plan') },
          ...(plans ?? []).filter(({ status }) => status === 'active').map(({ id, name }) => ({ id, name })),
        ]}
        value={plan}
        onChange={setPlan}
        error={faultOf(error, 'plan_id')}
      />
      <Select
        label={t('Can be accepted for')}
        isLabelShown
        options={DAYS.map((id) => ({ id, name: t('{days} {days:day|days}', { days: Number(id) }) }))}
        value={days}
        onChange={setDays}
        error={faultOf(error, 'expires_in_days')}
      />
    </FormDialog>
  )
}

interface Props {
  readonly of: Invitation
  readonly onClose: () => void
}

export function Resend({ of: { id, email }, onClose }: Props) {
  const { mutate, isPending, error } = useInvitationAct((client) => client.invitations.resend(id), onClose)
  return (
    <FormDialog
      title={t('Send the invitation to {email} again?', { email })}
      verb={t('Send again')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('The mail has a new link, and the former one stops working.')}</p>
    </FormDialog>
  )
}

export function Withdraw({ of: { id, email }, onClose }: Props) {
  const { mutate, isPending, error } = useInvitationAct((client) => client.invitations.revoke(id), onClose)
  return (
    <FormDialog
      title={t('Withdraw the invitation to {email}?', { email })}
      verb={t('Withdraw')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('It can no longer be accepted.')}</p>
    </FormDialog>
  )
}
