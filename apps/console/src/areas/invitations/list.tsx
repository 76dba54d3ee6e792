import type { Invitation } from '@guildhall/sdk'
import { useState } from 'react'
import { useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import type { Column } from '../../ui/data-table/data-table.tsx'
import { ListScreen } from '../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { PlanLink } from '../../ui/plan-link/plan-link.tsx'
import { Time } from '../../ui/time/time.tsx'
import { InviteMember, Resend, Withdraw } from './dialogs.tsx'
import { useInvitations } from './queries.ts'

interface Open {
  readonly dialog: 'resend' | 'withdraw'
  readonly of: Invitation
}

export function InvitationList() {
  const list = useInvitations()
  const { canChange } = useRights()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const invite = (is: boolean) => list.change({ do: is ? 'invite' : undefined })
  return (
    <>
      <ListScreen
        title={t('Invitations')}
        list={list}
        actions={
          canChange && (
            <Button kind="primary" onPress={() => invite(true)}>
              {t('Invite')}
            </Button>
          )
        }
        searchLabel={t('Search invitations')}
        filters={[
          {
            name: 'status',
            label: t('Status'),
            values: ['pending', 'accepted', 'revoked', 'expired'],
          },
        ]}
        keyOf={({ id }) => id}
        columns={[...columns(), ...(canChange ? [actionsOf(setOpen)] : [])]}
        empty={
          <Empty title={t('Nobody was invited yet')}>
            {t(
              'An invitation is a mail with a link, by which somebody becomes a member and sets a password.',
            )}
          </Empty>
        }
      />
      {canChange && list.search['do'] === 'invite' && <InviteMember onClose={() => invite(false)} />}
      {open?.dialog === 'resend' && <Resend of={open.of} onClose={close} />}
      {open?.dialog === 'withdraw' && <Withdraw of={open.of} onClose={close} />}
    </>
  )
}

const columns = (): Column<Invitation>[] => [
  { title: t('Email address'), cell: ({ email }) => email },
  { title: t('Name'), cell: ({ full_name }) => full_name || '–', hideBelow: 850 },
  { title: t('Status'), cell: ({ status }) => <Badge state={status} /> },
  {
    title: t('Plan'),
    cell: ({ plan_id: plan }) => (plan === null ? t('Default plan') : <PlanLink id={plan} />),
    hideBelow: 1000,
  },
  {
    title: t('Member'),
    cell: ({ member_id: member }) => (member === null ? '–' : <MemberLink id={member} />),
  },
  {
    title: t('Sent'),
    cell: ({ sent_at: at }) => (at === null ? '–' : <Time at={at} />),
    hideBelow: 1000,
  },
  { title: t('Ends'), cell: ({ expires_at }) => <Time at={expires_at} /> },
]

const actionsOf = (onOpen: (open: Open) => void): Column<Invitation> => ({
  title: t('Actions'),
  cell: (of) => (
    <Buttons>
      {(of.status === 'pending' || of.status === 'expired') && (
        <Button
          label={t('Send again to {email}', { email: of.email })}
          onPress={() => onOpen({ dialog: 'resend', of })}
        >
          {t('Send again')}
        </Button>
      )}
      {of.status === 'pending' && (
        <Button
          label={t('Withdraw the invitation to {email}', { email: of.email })}
          onPress={() => onOpen({ dialog: 'withdraw', of })}
        >
          {t('Withdraw')}
        </Button>
      )}
    </Buttons>
  ),
})
