import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../../data/keys.ts'
import { useRights } from '../../data/role.ts'
import { t, wordOf } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { type Column, DataTable } from '../../ui/data-table/data-table.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { ChangeRole, Invite, Remove, Withdraw } from './dialogs.tsx'
import { type TeamInvitation, type TeamMember, useInvitations, useTeam } from './queries.ts'

type Open = { readonly dialog: 'invite' } | { readonly dialog: 'role' | 'remove'; readonly of: TeamMember }

export function TeamList() {
  const { data: team, error, refetch } = useTeam()
  const { data: me } = useQuery(meQuery)
  const { isOwner } = useRights()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title={t('Team')}
      actions={
        isOwner && (
          <Button kind="primary" onPress={() => setOpen({ dialog: 'invite' })}>
            {t('Invite')}
          </Button>
        )
      }
    >
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {team === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {team !== undefined && (
        <DataTable
          label={t('Team')}
          rows={team}
          keyOf={({ id }) => id}
          columns={[...columnsOf(), actionsOf({ meId: me?.id, isOwner, onOpen: setOpen })]}
        />
      )}
      {isOwner && <Invitations />}
      {open?.dialog === 'invite' && <Invite onClose={close} />}
      {open?.dialog === 'role' && <ChangeRole of={open.of} onClose={close} />}
      {open?.dialog === 'remove' && <Remove of={open.of} isSelf={open.of.id === me?.id} onClose={close} />}
    </Page>
  )
}

const columnsOf = (): Column<TeamMember>[] => [
  { title: t('Email address'), cell: ({ email }) => email },
  { title: t('Name'), cell: ({ full_name }) => full_name || '–' },
  { title: t('Role'), cell: ({ role }) => wordOf(role) },
  { title: t('In the team since'), cell: ({ created_at }) => <Time at={created_at} /> },
]

interface ActionsProps {
  readonly meId: string | undefined
  readonly isOwner: boolean
  readonly onOpen: (open: Open) => void
}

/** An owner changes everybody; others can leave. */
const actionsOf = ({ meId, isOwner, onOpen }: ActionsProps): Column<TeamMember> => ({
  title: t('Actions'),
  cell: (of) => (
    <Buttons>
      {isOwner && (
        <Button
          label={t('Change role of {email}', { email: of.email })}
          onPress={() => onOpen({ dialog: 'role', of })}
        >
          {t('Change role')}
        </Button>
      )}
      {of.id === meId ? (
        <Button onPress={() => onOpen({ dialog: 'remove', of })}>{t('Leave')}</Button>
      ) : (
        isOwner && (
          <Button
            label={t('Remove {email}', { email: of.email })}
            onPress={() => onOpen({ dialog: 'remove', of })}
          >
            {t('Remove')}
          </Button>
        )
      )}
    </Buttons>
  ),
})

/** Who was invited and has not joined yet. */
function Invitations() {
  const { data: invitations, error, refetch } = useInvitations()
  const [withdrawn, setWithdrawn] = useState<TeamInvitation>()
  return (
    <Section title={t('Invitations')}>
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {invitations?.length === 0 && <Empty title={t('No invitation waits for an answer')} />}
      {invitations !== undefined && invitations.length > 0 && (
        <DataTable
          label={t('Invitations')}
          rows={invitations}
          keyOf={({ id }) => id}
          columns={[
            { title: t('Email address'), cell: ({ email }) => email },
            { title: t('Role'), cell: ({ role }) => wordOf(role) },
            { title: t('Ends'), cell: ({ expires_at }) => <Time at={expires_at} /> },
            {
              title: t('Actions'),
              cell: (of) => (
                <Button
                  label={t('Withdraw the invitation to {email}', { email: of.email })}
                  onPress={() => setWithdrawn(of)}
                >
                  {t('Withdraw')}
                </Button>
              ),
            },
          ]}
        />
      )}
      {withdrawn && <Withdraw of={withdrawn} onClose={() => setWithdrawn(undefined)} />}
    </Section>
  )
}
