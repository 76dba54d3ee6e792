import type { Voter } from '@guildhall/sdk'
import { useState } from 'react'
import { faultOf } from '../../data/faults.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { MemberSelect } from '../../ui/member-select/member-select.tsx'
import { useAct, useReadAgain } from './queries.ts'

interface Props {
  readonly itemId: string
  readonly onClose: () => void
}

/** Counts the vote of a member who has asked for it elsewhere, such as by mail. */
export function AddVote({ itemId, onClose }: Props) {
  const { client } = useProject()
  const [member, setMember] = useState('')
  const { mutate, isPending, error } = useAct(
    () => client.feedback.vote(itemId, { member_id: member }),
    onClose,
  )
  return (
    <FormDialog
      title={t('Add a vote')}
      verb={t('Add the vote')}
      isPending={isPending}
      error={error}
      fields={['member_id']}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <MemberSelect
        label={t('Member')}
        value={member}
        onChange={setMember}
        error={faultOf(error, 'member_id')}
      />
      <p>
        {t(
          'The member is told of the item as every voter is. The audit log says that you have added the vote.',
        )}
      </p>
    </FormDialog>
  )
}

export function RemoveVote({ itemId, voter, onClose }: Props & { readonly voter: Voter }) {
  const { client } = useProject()
  const readAgain = useReadAgain()
  const name = voter.author?.display_name ?? voter.member_id
  return (
    <Confirm
      title={t('Remove the vote of {name}?', { name })}
      verb={t('Remove')}
      act={() => client.feedback.unvote(itemId, { member_id: voter.member_id })}
      onDone={readAgain}
      onClose={onClose}
    >
      {t('The member can vote again.')}
    </Confirm>
  )
}
