import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useProject } from '../../data/list-query.ts'
import { useProjectRow, useRights } from '../../data/role.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { bytesInWords } from '../../ui/bytes/bytes.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page, Section } from '../../ui/page/page.tsx'
import { Select } from '../../ui/select/select.tsx'
import { Time } from '../../ui/time/time.tsx'
import { ProjectExports } from './exports.tsx'
import { IdleMinutes, Limits } from './limits.tsx'
import { ProjectMoves } from './moves.tsx'
import {
  type Month,
  type Overview,
  useIsAdministrator,
  useOfProject,
  useProjectActs,
  useTeam,
} from './queries.ts'

type Open = 'transfer' | 'delete' | 'restore' | 'suspend' | 'resume'

/** What concerns the whole project, and what cannot be undone. */
export function DangerZone() {
  const row = useProjectRow()
  const { isOwner } = useRights()
  const isAdministrator = useIsAdministrator()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  if (row === undefined) return <p role="status">{t('Loading …')}</p>
  const isDeleted = row.state === 'deleted'
  const button = (what: Open, verb: string, kind: 'plain' | 'danger' = 'danger') => (
    <div>
      <Button kind={kind} onPress={() => setOpen(what)}>
        {verb}
      </Button>
    </div>
  )
  return (
    <Page title={t('Danger zone')}>
      {!isOwner && !isAdministrator && (
        <Empty title={t('Owners of the project hand it over and delete it')} />
      )}
      {isOwner && !isDeleted && (
        <Section title={t('Idle operators')}>
          <IdleMinutes row={row} />
        </Section>
      )}
      {isOwner && !isDeleted && (
        <Section title={t('Hand over')}>
          <p>{t('Somebody else of the team becomes the owner, and you become an admin.')}</p>
          {button('transfer', t('Hand over the project'))}
        </Section>
      )}
      {isOwner && (
        <Section title={t('Delete')}>
          <p>
            {isDeleted
              ? t(
                  'The project is deleted. Its keys do not work. Until its data is removed, it can be restored.',
                )
              : t(
                  'Keys end at once. For 7 days the project can be restored; then all of its data is removed.',
                )}
          </p>
          {isDeleted
            ? button('restore', t('Restore the project'), 'plain')
            : button('delete', t('Delete the project'))}
        </Section>
      )}
      {isAdministrator && !isDeleted && (
        <>
          <Section title={t('Suspend')}>
            <p>{t('Keys, tokens and pages answer 403; webhooks, mails and jobs wait. Nothing is lost.')}</p>
            {row.state === 'suspended'
              ? button('resume', t('Resume the project'), 'plain')
              : button('suspend', t('Suspend the project'))}
          </Section>
          <Section title={t('Tier and limits')}>
            <Limits row={row} />
          </Section>
          <Section title={t('Export')}>
            <ProjectExports />
          </Section>
          <Section title={t('Move to another installation')}>
            <ProjectMoves name={row.name} />
          </Section>
        </>
      )}
      {open === 'transfer' && <Transfer onClose={close} />}
      {open === 'delete' && <Delete name={row.name} onClose={close} />}
      {open === 'restore' && (
        <Act
          verb={t('Restore')}
          path="restore"
          title={t('Restore {name}?', { name: row.name })}
          onClose={close}
        >
          {t('The project is as it was, with its keys, at once.')}
        </Act>
      )}
      {open === 'suspend' && (
        <Act
          verb={t('Suspend')}
          path="suspend"
          isDanger
          title={t('Suspend {name}?', { name: row.name })}
          onClose={close}
        >
          {t(
            'Its customers see an error on both sides until you resume it. Money that is owed is not taken meanwhile.',
          )}
        </Act>
      )}
      {open === 'resume' && (
        <Act
          verb={t('Resume the project')}
          path="resume"
          title={t('Resume {name}?', { name: row.name })}
          onClose={close}
        >
          {t('Webhooks, mails and jobs go on in their order.')}
        </Act>
      )}
    </Page>
  )
}

interface ActProps {
  readonly title: string
  readonly verb: string
  /** Below the project. */
  readonly path: string
  readonly isDanger?: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

function Act({ title, verb, path, isDanger = false, onClose, children }: ActProps) {
  const { project } = useProject()
  const { act, refresh } = useProjectActs(project)
  return (
    <Confirm
      {...{ title, verb, isDanger, onClose }}
      act={() => act('POST', `/${path}`, path === 'suspend' ? {} : undefined)}
      onDone={refresh}
    >
      <p>{children}</p>
    </Confirm>
  )
}

function Transfer({ onClose }: { readonly onClose: () => void }) {
  const { project } = useProject()
  const { act, refresh } = useProjectActs(project)
  const { data: team = [] } = useTeam()
  const [chosen, setChosen] = useState('')
  const others = team.filter(({ role }) => role !== 'owner')
  if (others.length === 0)
    return (
      <Dialog title={t('Hand over the project')} isOpen onClose={onClose}>
        <p>{t('There is nobody else in the team. Invite who shall have it first.')}</p>
        <Buttons>
          <Button onPress={onClose}>{t('Close')}</Button>
        </Buttons>
      </Dialog>
    )
  return (
    <Confirm
      title={t('Hand over the project')}
      verb={t('Hand over')}
      risk="verb"
      act={() => act('POST', '/transfer', { operator_id: chosen || others[0]?.id })}
      onDone={refresh}
      onClose={onClose}
    >
      <Select
        label={t('New owner')}
        isLabelShown
        options={others.map(({ id, full_name, email }) => ({
          id,
          name: full_name === '' ? email : `${full_name} (${email})`,
        }))}
        value={chosen || (others[0]?.id ?? '')}
        onChange={setChosen}
      />
      <p>{t('You become an admin: only the new owner can take this back.')}</p>
    </Confirm>
  )
}

/** The deletion says with numbers what goes. */
function Delete({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { project } = useProject()
  const { act, refresh } = useProjectActs(project)
  const navigate = useNavigate()
  const { data: live } = useOfProject<Overview>('overview?environment=live')
  const { data: test } = useOfProject<Overview>('overview?environment=test')
  const { data: usage } = useOfProject<readonly Month[]>('usage')
  const [month] = usage ?? []
  const until = new Date(Date.now() + 7 * 86_400_000).toISOString()
  return (
    <Confirm
      title={t('Delete {name}?', { name })}
      verb={t('Delete')}
      risk={{ name }}
      act={() => act('POST', '/delete', { name })}
      onDone={async () => {
        await refresh()
        await navigate({ to: '/projects' })
      }}
      onClose={onClose}
    >
      <p>
        {live && test
          ? t(
              '{live} {live:member|members} of the live side and {test} of the test side lose their accounts.',
              {
                live: live.members.total,
                test: test.members.total,
              },
            )
          : t('Loading …')}{' '}
        {month &&
          t('Files of {size} are removed.', {
            size: bytesInWords(month.live.storage_bytes + month.test.storage_bytes),
          })}
      </p>
      <p>
        {t('All keys, tokens and webhooks end at once. It can be restored until:')} <Time at={until} />
      </p>
    </Confirm>
  )
}
