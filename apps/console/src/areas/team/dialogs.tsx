import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Role } from '../../data/console-api.ts'
import { faultOf } from '../../data/faults.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { ROLES, type TeamInvitation, type TeamMember, useTeamChange } from './queries.ts'

interface RoleProps {
  readonly value: Role
  readonly onChange: (role: Role) => void
  readonly error?: string | undefined
}

function RoleSelect({ value, onChange, error }: RoleProps) {
  const names: Readonly<Record<Role, string>> = {
    owner: t('Owner: everything, also the team'),
    admin: t('Admin: changes everything but the team'),
    viewer: t('Viewer: reads, and changes nothing'),
  }
  return (
    <Select
      label={t('Role')}
      isLabelShown
      options={ROLES.map((id) => ({ id, name: names[id] }))}
      value={value}
      onChange={(id) => onChange(id as Role)}
      error={error}
    />
  )
}

export function Invite({ onClose }: { readonly onClose: () => void }) {
  const [role, setRole] = useState<Role>('viewer')
  const { mutate, isPending, error } = useTeamChange(onClose)
  return (
    <FormDialog
      title={t('Invite to the team')}
      verb={t('Invite')}
      isPending={isPending}
      error={error}
      fields={['email', 'role']}
      onSubmit={(form) =>
        mutate({ method: 'POST', path: 'invitations', body: { email: form.get('email'), role } })
      }
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
      <RoleSelect value={role} onChange={setRole} error={faultOf(error, 'role')} />
      <p>{t('The invitation is good for 7 days. Another one to the same address replaces it.')}</p>
    </FormDialog>
  )
}

interface OneProps {
  readonly of: TeamMember
  readonly onClose: () => void
}

export function ChangeRole({ of, onClose }: OneProps) {
  const [role, setRole] = useState(of.role)
  const { mutate, isPending, error } = useTeamChange(onClose)
  return (
    <FormDialog
      title={t('Role of {name}', { name: of.full_name || of.email })}
      verb={t('Save')}
      isPending={isPending}
      error={error}
      fields={['role']}
      onSubmit={() =>
        role === of.role ? onClose() : mutate({ method: 'PATCH', path: `team/${of.id}`, body: { role } })
      }
      onClose={onClose}
    >
      <RoleSelect value={role} onChange={setRole} error={faultOf(error, 'role')} />
    </FormDialog>
  )
}

/** Takes the role of somebody, or one's own. */
export function Remove({ of, isSelf, onClose }: OneProps & { readonly isSelf: boolean }) {
  const navigate = useNavigate()
  const { mutate, isPending, error } = useTeamChange(() => {
    onClose()
    if (isSelf) void navigate({ to: '/' })
  })
  const name = of.full_name || of.email
  return (
    <FormDialog
      title={isSelf ? t('Leave the team?') : t('Remove {name} from the team?', { name })}
      verb={isSelf ? t('Leave') : t('Remove')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ method: 'DELETE', path: `team/${of.id}` })}
      onClose={onClose}
    >
      <p>
        {isSelf
          ? t('You no longer see this project. An owner can invite you again.')
          : t('They no longer see this project, at once. You can invite them again.')}
      </p>
    </FormDialog>
  )
}

interface WithdrawProps {
  readonly of: TeamInvitation
  readonly onClose: () => void
}

export function Withdraw({ of, onClose }: WithdrawProps) {
  const { mutate, isPending, error } = useTeamChange(onClose)
  return (
    <FormDialog
      title={t('Withdraw the invitation to {email}?', { email: of.email })}
      verb={t('Withdraw')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate({ method: 'DELETE', path: `invitations/${of.id}` })}
      onClose={onClose}
    >
      <p>{t('It can no longer be accepted.')}</p>
    </FormDialog>
  )
}
