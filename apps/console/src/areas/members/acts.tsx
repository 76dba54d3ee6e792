import type { MemberWithPlan } from '@guildhall/sdk'
import { useState } from 'react'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { type Act, MenuButton } from '../../ui/menu-button/menu-button.tsx'
import { SuspendMember } from '../../ui/suspend-member/suspend-member.tsx'
import { ChangePlan } from './change-plan.tsx'
import { EditMember } from './edit.tsx'
import { LogInAs } from './log-in-as.tsx'
import { type ReadMember, useMemberAct, useSuspension } from './queries.ts'
import { RemoveMember } from './remove.tsx'

type Open = 'edit' | 'plan' | 'suspend' | 'unsuspend' | 'log in' | 'reset' | 'confirm' | 'factors' | 'remove'

/** What can be done with a member. */
export function MemberActs({ read }: { readonly read: ReadMember }) {
  const { value: member } = read
  const [open, setOpen] = useState<Open>()
  const { data: suspension } = useSuspension(member.id)
  const close = () => setOpen(undefined)
  const act = (name: string, opens: Open, isDanger = false): Act => ({
    ...{ name, isDanger },
    onAct: () => setOpen(opens),
  })
  return (
    <>
      <Button onPress={() => setOpen('edit')}>{t('Edit')}</Button>
      <Button onPress={() => setOpen('plan')}>{t('Change plan')}</Button>
      <MenuButton
        name={t('More')}
        acts={[
          act(t('Send a link to set a password'), 'reset'),
          act(t('Send the confirmation mail again'), 'confirm'),
          act(t('Log in as this member'), 'log in'),
          suspension ? act(t('End the suspension'), 'unsuspend') : act(t('Suspend'), 'suspend'),
          act(t('Remove second factors and passkeys'), 'factors', true),
          act(t('Delete the member'), 'remove', true),
        ]}
      />
      {open === 'edit' && <EditMember read={read} onClose={close} />}
      {open === 'plan' && <ChangePlan member={member} onClose={close} />}
      {open === 'suspend' && (
        <SuspendMember id={member.id} name={member.full_name || member.email} onClose={close} />
      )}
      {open === 'log in' && <LogInAs member={member} onClose={close} />}
      {open === 'remove' && <RemoveMember member={member} onClose={close} />}
      {open === 'unsuspend' && <Unsuspend member={member} onClose={close} />}
      {open === 'reset' && <SendReset member={member} onClose={close} />}
      {open === 'confirm' && <SendConfirmation member={member} onClose={close} />}
      {open === 'factors' && <RemoveFactors member={member} onClose={close} />}
    </>
  )
}

interface Props {
  readonly member: MemberWithPlan
  readonly onClose: () => void
}

function Unsuspend({ member: { id }, onClose }: Props) {
  const { mutate, isPending, error } = useMemberAct((client) => client.members.unsuspend(id), onClose)
  return (
    <FormDialog
      title={t('End the suspension?')}
      verb={t('End the suspension')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>{t('The member can write again, at once.')}</p>
    </FormDialog>
  )
}

function SendReset({ member: { email }, onClose }: Props) {
  const { mutate, isPending, error } = useMemberAct(
    (client) => client.auth.password.forgot({ email }),
    onClose,
  )
  return (
    <FormDialog
      title={t('Send a link to set a password?')}
      verb={t('Send')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {t(
          'A mail with a link and a code goes to {email}. Both work for 15 minutes; earlier links stop working. Sessions go on until the new password is set.',
          { email },
        )}
      </p>
    </FormDialog>
  )
}

function SendConfirmation({ member: { email }, onClose }: Props) {
  const { mutate, isPending, error } = useMemberAct((client) => client.auth.email.resend({ email }), onClose)
  return (
    <FormDialog
      title={t('Send the confirmation mail again?')}
      verb={t('Send')}
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {t(
          'A mail with a link and a code goes to {email}, unless the address is confirmed already. Earlier links stop working.',
          { email },
        )}
      </p>
    </FormDialog>
  )
}

function RemoveFactors({ member: { id }, onClose }: Props) {
  const { mutate, isPending, error } = useMemberAct((client) => client.members.factors.delete(id), onClose)
  return (
    <FormDialog
      title={t('Remove all second factors and passkeys?')}
      verb={t('Remove')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {t(
          'Whoever has the password or the mailbox of the member can then log in. Be sure that the member has asked for it. It cannot be undone.',
        )}
      </p>
    </FormDialog>
  )
}
