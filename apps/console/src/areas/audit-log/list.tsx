import { Link } from '@tanstack/react-router'
import { useProject } from '../../data/list-query.ts'
import { useProjectRow, useRights } from '../../data/role.ts'
import { t, wordOf } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Buttons } from '../../ui/button/buttons.tsx'
import { KeyLink } from '../../ui/key-link/key-link.tsx'
import { List } from '../../ui/list-screen/list-screen.tsx'
import { MemberLink } from '../../ui/member-link/member-link.tsx'
import { Empty } from '../../ui/notice/notice.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { differences } from './difference.ts'
import styles from './list.module.css'
import { type AuditedAct, useAuditLog } from './queries.ts'

/** The first words of actions, by which they are filtered as a group. */
const GROUPS = [
  'settings',
  'team',
  'key',
  'project',
  'member',
  'discussion',
  'comment',
  'feedback',
  'moderation_rule',
]

/** Who did what with the project and in it, when, from where, and what was different after it. */
export function AuditLog() {
  const { canChange } = useRights()
  const row = useProjectRow()
  if (row !== undefined && !canChange)
    return (
      <Page title={t('Audit log')}>
        <Empty title={t('Owners and admins of the project see the audit log')} />
      </Page>
    )
  return <Acts />
}

function Acts() {
  const { project, side } = useProject()
  const list = useAuditLog(project)
  const { actor_id, target, cursor } = list.search
  const place = { project, side }
  const only = (name: 'actor_id' | 'target', id: string) => list.change({ [name]: id, cursor: undefined })
  return (
    <Page title={t('Audit log')}>
      <List
        title={t('Audit log')}
        list={{ ...list, change: (changes) => list.change({ cursor: undefined, ...changes }) }}
        keyOf={({ at, action, target: of, actor_id: by }) => [at, action, of, by].join(' ')}
        filters={[
          {
            name: 'action',
            label: t('Action'),
            values: GROUPS.map((group) => `${group}.*`),
            titleOf: (value) => wordOf(value.replace('.*', '')),
          },
          { name: 'actor_id', label: t('Id of the actor') },
          { name: 'target', label: t('Id of what was changed') },
        ]}
        dates={t('Time')}
        hasPages={false}
        columns={[
          { title: t('Time'), cell: ({ at }) => <Time at={at} hasSeconds /> },
          {
            title: t('Who'),
            cell: (act) => <Actor act={act} onOnly={actor_id ? undefined : (id) => only('actor_id', id)} />,
          },
          { title: t('Action'), cell: (act) => <Action act={act} /> },
          {
            title: t('What'),
            cell: ({ target: of }) => (
              <Target id={of} place={place} onOnly={target ? undefined : (id) => only('target', id)} />
            ),
          },
          {
            title: t('What changed'),
            cell: ({ before, after }) => <Changes before={before} after={after} />,
          },
        ]}
        empty={
          <Empty title={t('Nothing was done yet')}>
            {t('Changes of settings, keys and the team appear here, and acts on members and posts.')}
          </Empty>
        }
      />
      {(cursor || list.data?.next_cursor) && (
        <Buttons>
          {cursor && <Button onPress={() => list.change({ cursor: undefined })}>{t('Newest')}</Button>}
          {list.data?.next_cursor && (
            <Button onPress={() => list.change({ cursor: list.data?.next_cursor ?? undefined })}>
              {t('Older')}
            </Button>
          )}
        </Buttons>
      )}
    </Page>
  )
}

interface ActorProps {
  readonly act: AuditedAct
  readonly onOnly: ((id: string) => void) | undefined
}

function Actor({ act: { actor_kind, actor_id, actor_name, ip }, onOnly }: ActorProps) {
  const name = actor_name ?? actor_id ?? wordOf(actor_kind)
  return (
    <>
      {actor_name === null && actor_id?.startsWith('key_') ? <KeyLink id={actor_id} /> : <bdi>{name}</bdi>}
      <span className={styles.small}>{ip}</span>
      {actor_id !== null && onOnly && (
        <span className={styles.only}>
          <Button
            kind="quiet"
            label={t('Only these: acts of {name}', { name })}
            onPress={() => onOnly(actor_id)}
          >
            {t('Only these')}
          </Button>
        </span>
      )}
    </>
  )
}

function Action({ act: { action, environment, reason } }: { readonly act: AuditedAct }) {
  return (
    <>
      <code className={styles.id}>{action}</code>
      <span className={styles.small}>
        {environment === null ? t('Whole project') : environment === 'live' ? t('Live') : t('Test')}
      </span>
      {reason !== null && <span className={styles.small}>{reason}</span>}
    </>
  )
}

/** The screens of things by the beginning of their ids. */
const SCREENS: Readonly<Record<string, string>> = {
  mem: 'members',
  whe: 'webhooks',
  ord: 'orders',
  disc: 'discussions',
}

interface TargetProps {
  readonly id: string | null
  readonly place: { readonly project: string; readonly side: string }
  readonly onOnly: ((id: string) => void) | undefined
}

function Target({ id, place, onOnly }: TargetProps) {
  if (id === null) return '–'
  const screen = SCREENS[id.split('_')[0] ?? '']
  return (
    <>
      {screen === 'members' ? (
        <MemberLink id={id} />
      ) : screen === undefined ? (
        <code className={styles.id}>{id}</code>
      ) : (
        <Link to={`/$project/$side/${screen}/$id` as '/$project/$side/members/$id'} params={{ ...place, id }}>
          <code className={styles.id}>{id}</code>
        </Link>
      )}
      {onOnly && (
        <span className={styles.only}>
          <Button kind="quiet" label={t('Only these: acts on {id}', { id })} onPress={() => onOnly(id)}>
            {t('Only these')}
          </Button>
        </span>
      )}
    </>
  )
}

/** What is different, field by field: what was is struck out, what is comes after it. */
function Changes({ before, after }: Pick<AuditedAct, 'before' | 'after'>) {
  const all = differences(before, after)
  if (all.length === 0) return '–'
  return (
    <ul className={styles.differences}>
      {all.map(({ field, before: from, after: to }) => (
        <li key={field}>
          {field !== '' && <code>{field}</code>} {from !== undefined && <del>{from || '“”'}</del>}
          {from !== undefined && to !== undefined && ' → '}
          {to !== undefined && <ins>{to || '“”'}</ins>}
        </li>
      ))}
    </ul>
  )
}
