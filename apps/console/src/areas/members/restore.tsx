import type { ListedMember } from '@guildhall/sdk'
import { t } from '../../data/words.ts'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { useMemberAct } from './queries.ts'

interface Props {
  readonly of: ListedMember
  readonly onClose: () => void
}

/** Takes the deletion of a member back. */
export function RestoreMember({ of: { id, email }, onClose }: Props) {
  const { mutate, isPending, error } = useMemberAct((client) => client.members.restore(id), onClose)
  return (
    <FormDialog
      title={t('Restore {email}?', { email })}
      verb={t('Restore')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('The member can log in again. Subscriptions that ended with the deletion do not come back.')}</p>
    </FormDialog>
  )
}
