import { useState } from 'react'
import { waysInWords } from '../../data/ways-of-log-in.ts'
import { t } from '../../data/words.ts'
import { Button } from '../../ui/button/button.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { FormDialog } from '../../ui/form-dialog/form-dialog.tsx'
import { Empty, ErrorNotice } from '../../ui/notice/notice.tsx'
import { Time } from '../../ui/time/time.tsx'
import { useMemberAct, useSessions } from './queries.ts'

/** Where a member is logged in. */
export function SessionsOf({ id }: { readonly id: string }) {
  const { data: sessions, error, refetch } = useSessions(id)
  const [isEnding, setEnding] = useState(false)
  if (sessions === undefined)
    return error ? <ErrorNotice error={error} onRetry={refetch} /> : <p role="status">{t('Loading …')}</p>
  if (sessions.length === 0) return <Empty title={t('The member is logged in nowhere')} />
  return (
    <>
      <DataTable
        label={t('Sessions')}
        rows={sessions}
        keyOf={({ id: session }) => session}
        columns={[
          { title: t('Browser'), cell: ({ user_agent }) => user_agent ?? '–' },
          { title: t('Address'), cell: ({ ip }) => (ip === null ? '–' : <code>{ip}</code>) },
          { title: t('Logged in by'), cell: ({ amr }) => waysInWords(amr) },
          { title: t('Since'), cell: ({ created_at }) => <Time at={created_at} /> },
          { title: t('Last seen'), cell: ({ last_seen_at }) => <Time at={last_seen_at} /> },
        ]}
      />
      <div>
        <Button kind="danger" onPress={() => setEnding(true)}>
          {t('Log out everywhere')}
        </Button>
      </div>
      {isEnding && <EndSessions id={id} count={sessions.length} onClose={() => setEnding(false)} />}
    </>
  )
}

interface EndProps {
  readonly id: string
  readonly count: number
  readonly onClose: () => void
}

function EndSessions({ id, count, onClose }: EndProps) {
  const { mutate, isPending, error } = useMemberAct((client) => client.members.sessions.delete(id), onClose)
  return (
    <FormDialog
      title={t('Log the member out everywhere?')}
      verb={t('Log out')}
      isDanger
      isPending={isPending}
      error={error}
      onSubmit={() => mutate()}
      onClose={onClose}
    >
      <p>
        {t('{n} {n:session ends|sessions end} within a second. The member can log in again.', { n: count })}
      </p>
    </FormDialog>
  )
}
