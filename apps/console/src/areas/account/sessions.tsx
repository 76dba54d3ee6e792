import { useState } from 'react'
import { callConsole } from '../../data/console-api.ts'
import { waysInWords } from '../../data/ways-of-log-in.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { Confirm } from '../../ui/confirm/confirm.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { ErrorNotice } from '../../ui/notice/notice.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Time } from '../../ui/time/time.tsx'
import { type Session, useOwnChange, useSessions } from './queries.ts'

/** Where the operator is logged in. Each session can be ended, and all others at once. */
export function Sessions() {
  const { data: sessions, error, refetch } = useSessions()
  const [isEnding, setEnding] = useState(false)
  const end = useOwnChange((id: string) => callConsole('DELETE', `/sessions/${id}`))
  const all = useOwnChange(() => callConsole('POST', '/logout', { body: { scope: 'others' } }))
  const others = sessions?.filter(({ current }) => !current) ?? []
  return (
    <Section title={t('Sessions')}>
      {(error ?? end.error) && <ErrorNotice error={(error ?? end.error) as Error} onRetry={refetch} />}
      {sessions === undefined && !error && <p role="status">{t('Loading …')}</p>}
      {sessions && (
        <DataTable
          label={t('Sessions')}
          rows={sessions}
          keyOf={({ id }) => id}
          columns={[
            { title: t('Device'), cell: ({ user_agent }) => deviceOf(user_agent) },
            { title: t('Address'), cell: ({ ip }) => ip ?? '–' },
            {
              title: t('Logged in by'),
              cell: ({ amr }) => waysInWords(amr),
            },
            { title: t('Begun'), cell: ({ created_at }) => <Time at={created_at} /> },
            { title: t('Last used'), cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
            {
              title: t('Actions'),
              cell: ({ id, current, user_agent }: Session) =>
                current ? (
                  t('This session')
                ) : (
                  <Button
                    label={t('End the session of {device}', { device: deviceOf(user_agent) })}
                    isPending={end.isPending && end.variables === id}
                    onPress={() => end.mutate(id)}
                  >
                    {t('End')}
                  </Button>
                ),
            },
          ]}
        />
      )}
      {others.length > 0 && (
        <div>
          <Button kind="danger" onPress={() => setEnding(true)}>
            {t('End all other sessions')}
          </Button>
        </div>
      )}
      {isEnding && (
        <Confirm
          title={t('End all other sessions?')}
          verb={t('End')}
          act={() => all.mutateAsync(undefined)}
          onClose={() => setEnding(false)}
        >
          {t(
            '{count} {count:session ends|sessions end} within a second. Programs that are logged in end, too.',
            {
              count: others.length,
            },
          )}
        </Confirm>
      )}
    </Section>
  )
}

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const NAMES: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' }
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const

/** The browser and the system that a device says it has, or what it says where that is something else. */
function deviceOf(userAgent: string | null): string {
  if (userAgent === null) return t('Unknown device')
  const browser = BROWSERS.find((name) => userAgent.includes(`${name}/`))
  const system = SYSTEMS.find((name) => userAgent.includes(name))
  if (browser === undefined) return userAgent.slice(0, 60)
  return [NAMES[browser] ?? browser, system].filter((each) => each !== undefined).join(', ')
}
