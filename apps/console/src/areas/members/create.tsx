import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { usePlans } from '../../data/plan-names.ts'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Select } from '../../ui/select/select.tsx'
import { TextField } from '../../ui/text-field/text-field.tsx'
import { useMemberAct } from './queries.ts'

interface Input {
  readonly email: string
  readonly full_name: string
  readonly plan_id: string
}

/** Adds a member, and opens it. */
export function CreateMember({ onClose }: { readonly onClose: () => void }) {
  const { project, side } = useProject()
  const navigate = useNavigate()
  const { data: plans } = usePlans()
  const usual = plans?.find(({ is_default }) => is_default)?.id ?? ''
  const [plan, setPlan] = useState<string>()
  const create = useMemberAct(
    (client, { email, full_name, plan_id }: Input) =>
      client.members.create({
        email,
        ...(full_name !== '' && { full_name }),
        ...(plan_id !== '' && plan_id !== usual && { plan_id }),
      }),
    ({ id }) => {
      onClose()
      return navigate({ to: '/$project/$side/members/$id', params: { project, side, id } })
    },
  )
  const { error } = create
  return (
    <FormDialog
      title={t('Add a member')}
      verb={t('Add')}
      isPending={create.isPending}
      error={error}
      fields={['email', 'full_name', 'plan_id']}
      onSubmit={(form) =>
        create.mutate({
          email: String(form.get('email')),
          full_name: String(form.get('full_name')),
          plan_id: plan ?? usual,
        })
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
      <TextField label={t('Name')} name="full_name" error={faultOf(error, 'full_name')} />
      <Select
        label={t('Plan')}
        isLabelShown
        options={(plans ?? [])
          .filter(({ status }) => status === 'active')
          .map(({ id, name }) => ({ id, name }))}
        value={plan ?? usual}
        onChange={setPlan}
        error={faultOf(error, 'plan_id')}
      />
      <p>{t('No mail is sent. An invitation sends one, with which somebody sets a password.')}</p>
    </FormDialog>
  )
}
