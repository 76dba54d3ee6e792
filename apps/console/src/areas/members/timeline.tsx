import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { useProject } from '../../data/list-query.ts'
import { t } from '../../data/words.ts'
import { Badge } from '../../ui/badge/badge.tsx'
import { Button } from '../../ui/button/button.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Select } from '../../ui/select/select.tsx'
import { Time } from '../../ui/time/time.tsx'
import styles from './timeline.module.css'

const KINDS = ['event', 'mail', 'order', 'session', 'act', 'request'] as const
type Kind = (typeof KINDS)[number]

interface Entry {
  readonly kind: Kind
  readonly id: string
  readonly at: string
  readonly title: string
  readonly state: string | null
  readonly cause: Readonly<Record<'request_id' | 'actor' | 'actor_id' | 'reason', string | null>>
}

interface TimelinePage {
  readonly data: readonly Entry[]
  readonly next_cursor: string | null
}

const names = (): Readonly<Record<Kind, string>> => ({
  event: t('Event'),
  mail: t('Mail'),
  order: t('Order'),
  session: t('Session'),
  act: t('Act'),
  request: t('Request'),
})

/** What is chosen where nothing else is: requests are many, and are asked for. */
const USUAL = 'usual'

function useTimeline(member: string, kinds: string) {
  const { project, side } = useProject()
  return useInfiniteQuery({
    queryKey: [project, side, 'members', member, 'timeline', kinds],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        environment: side,
        ...(kinds !== USUAL && { kinds }),
        ...(pageParam !== '' && { cursor: pageParam }),
      })
      const path = `/projects/${project}/members/${member}/timeline?${query}`
      return callConsole<TimelinePage>('GET', path, { signal })
    },
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: next }) => next,
  })
}

/** Everything that happened to a member, the newest first, each with its cause. */
export function Timeline({ member }: { readonly member: string }) {
  const [kinds, setKinds] = useState<string>(USUAL)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeline(member, kinds)
  const entries = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <Select
        label={t('Kind')}
        options={[
          { id: USUAL, name: t('Everything but requests') },
          { id: KINDS.join(','), name: t('Everything') },
          ...KINDS.map((id) => ({ id, name: names()[id] })),
        ]}
        value={kinds}
        onChange={setKinds}
      />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {entries === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {entries?.length === 0 && <Empty title={t('Nothing has happened')} />}
      {entries !== undefined && entries.length > 0 && (
        <ol className={styles.entries}>
          {entries.map((entry) => (
            <TimelineEntry
              key={`${entry.kind} ${entry.id} ${entry.at} ${entry.title} ${entry.state}`}
              entry={entry}
              member={member}
            />
          ))}
        </ol>
      )}
      {hasNextPage && (
        <Button onPress={() => fetchNextPage()} isPending={isFetchingNextPage}>
          {t('Show earlier ones')}
        </Button>
      )}
    </>
  )
}

/** The screen of the thing of an entry, below a side of a project. */
function placeOf({ kind, id }: Entry, member: string): string | undefined {
  const places: Readonly<Partial<Record<Kind, string>>> = {
    event: `events/${id}`,
    mail: `mails/${id}`,
    order: `orders/${id}`,
    session: `members/${member}/sessions`,
    request: `requests/${id}`,
  }
  return places[kind]
}

function TimelineEntry({ entry, member }: { readonly entry: Entry; readonly member: string }) {
  const { kind, at, title, state, cause } = entry
  const path = placeOf(entry, member)
  return (
    <li className={styles.entry}>
      <p className={styles.when}>
        <Time at={at} hasSeconds />
      </p>
      <div className={styles.what}>
        <p>
          <span className={styles.kind}>{names()[kind]}</span>{' '}
          {path === undefined ? <code>{title}</code> : <Place path={path}>{title}</Place>}{' '}
          {state !== null && <Badge state={state} />}
        </p>
        <Cause cause={cause} isRequest={kind === 'request'} />
      </div>
    </li>
  )
}

function Place({ path, children }: { readonly path: string; readonly children: string }) {
  const { project, side } = useProject()
  return (
    <Link to={`/$project/$side/${path}`} params={{ project, side }}>
      <code>{children}</code>
    </Link>
  )
}

const actors = (): Readonly<Record<string, string>> => ({
  secret_key: t('a secret key'),
  public_key: t('a public key'),
  member: t('a member'),
  operator: t('an operator'),
  system: t('Guildhall itself'),
})

/** What an entry comes from, as far as it is known. */
function Cause({ cause, isRequest }: { readonly cause: Entry['cause']; readonly isRequest: boolean }) {
  const { request_id: request, actor, actor_id: who, reason } = cause
  if (isRequest || (request === null && actor === null && reason === null)) return null
  return (
    <p className={styles.cause}>
      {actor !== null && (
        <span>
          {t('By {actor}', { actor: actors()[actor] ?? actor })} {who !== null && <code>{who}</code>}
        </span>
      )}
      {request !== null && (
        <span>
          {t('By the request')} <Place path={`requests/${request}`}>{request}</Place>
        </span>
      )}
      {reason !== null && <span>{t('Reason: {reason}', { reason })}</span>}
    </p>
  )
}
